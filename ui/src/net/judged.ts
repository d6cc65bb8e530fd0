import type { JsonNode } from "../json/parse";
import { textAt } from "../json/print";
import { type JsonObject, isObject } from "../json/value";
import type { Answer } from "./api";
import { count, object, objects, oneOf, text, texts, textsOf } from "./fields";
import { type Loaded, readObject } from "./read";

export type VerdictOf = Sums["verdict"];
export type Sums = ReturnType<typeof sums>;
export type TargetHead = ReturnType<typeof head>;
export type FindingOf = ReturnType<typeof finding>;
export type Loss = ReturnType<typeof loss>;
export type Matrix = ReturnType<typeof matrix>;
export type ToolTargets = ReturnType<typeof toolTargets>;
export type TargetOfTool = ReturnType<typeof targetOfTool>;

/** Every tool against every target. */
export const readMatrix = (answer: Answer): Loaded<Matrix> => readObject(answer, matrix);

/** One tool against every target. */
export const readToolTargets = (answer: Answer): Loaded<ToolTargets> => readObject(answer, toolTargets);

/** One tool against one target, and what that would take instead. */
export const readTargetOfTool = (answer: Answer): Loaded<TargetOfTool> => readObject(answer, targetOfTool);

/** What a target says of a tool; one that is not named is accepted. */
export function sumsOf(all: ReadonlyMap<string, Sums>, target: string): Sums {
  return all.get(target) ?? sums({});
}

function matrix(value: JsonObject) {
  return {
    targets: objects(value, "targets").map((each) => ({ ...head(each), refused: count(each, "refused") })),
    findings: objects(value, "findings").map(finding),
    tools: objects(value, "tools").map((each) => {
      const own = Object.entries(object(each, "targets"));
      return { name: text(each, "name"), sums: new Map(own.flatMap(([name, of]) => (isObject(of) ? [[name, sums(of)] as const] : []))) };
    }),
  };
}

function toolTargets(value: JsonObject) {
  return { targets: objects(value, "targets").map((each) => ({ ...head(each), ...sums(each) })) };
}

function targetOfTool(value: JsonObject, root: JsonNode, body: string) {
  const target = object(value, "target");
  const { refused } = value;
  const [tool, wire] = ["tool", "wire"].map((key) => textAt(body, root, ["lowered", key]));
  const unchecked = object(value, "unchecked");
  return {
    target: { ...head(target), ...sums(target), summary: text(target, "summary") },
    findings: objects(value, "findings").map(finding),
    unchecked: Object.keys(unchecked).map((id) => [id, text(unchecked, id)] as const),
    losses: objects(value, "losses").map(loss),
    refused: isObject(refused) ? textsOf(refused, "reason", "fix") : null,
    lowered: tool && wire ? { tool, wire } : null,
  };
}

function head(value: JsonObject) {
  return { ...textsOf(value, "name", "title"), groups: texts(value, "groups"), lowers: value["lowers"] === true };
}

function sums(value: JsonObject) {
  return {
    verdict: oneOf(value, "verdict", "refused", "accepted-with-warnings", "accepted"),
    errors: count(value, "errors"),
    warnings: count(value, "warnings"),
    advice: count(value, "advice"),
  };
}

function finding(value: JsonObject) {
  return {
    ...textsOf(value, "rule", "name", "target", "path", "message", "fix", "effect", "read", "conflict"),
    severity: oneOf(value, "severity", "error", "warning", "advice"),
    sources: texts(value, "sources"),
  };
}

function loss(value: JsonObject) {
  return { ...textsOf(value, "path", "what", "kind"), madeGoodBy: text(value, "made_good_by") };
}
