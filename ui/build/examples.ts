import { createInterface } from "node:readline";
import { readJson } from "../src/json/value";
import { exampleJson } from "../src/schema/example";

/** For tests in other languages: a schema on each line of the input, its examples on each line of the output. */
for await (const line of createInterface({ input: process.stdin })) {
  const schema = readJson(line) ?? null;
  const texts = { required: exampleJson(schema, "required"), all: exampleJson(schema, "all") };
  process.stdout.write(`${JSON.stringify(texts)}\n`);
}
