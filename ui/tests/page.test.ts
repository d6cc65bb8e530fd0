// @vitest-environment jsdom
import { expect, test, vi } from "vitest";
import { type Reply, Page, answered, button, field, fill, invalid, link, named, one, press, until } from "./page";

const MARKUP = "<img src=x onerror=alert(1)>";
const WEATHER = {
  name: "get_weather",
  description: "Fetch current weather for a city.\nFrom the nearest station.",
  annotations: { readOnlyHint: true, openWorldHint: true },
  inputSchema: {
    type: "object",
    properties: {
      city: { type: "string", minLength: 2, description: "As people write it" },
      days: { type: "integer", minimum: 1, maximum: 14 },
      place: { type: "object", properties: { "a/b": { type: "string" }, zip: { type: "string" } }, required: ["zip"] },
    },
    required: ["city"],
  },
};
const TOOLS = [
  WEATHER,
  { name: "delete_record", description: "Remove one record.", annotations: { destructiveHint: true } },
  { name: "numbers", description: "Count.", inputSchema: { type: "object", properties: { n: { type: "integer" } } } },
  { name: MARKUP, description: "<b>bold</b>" },
  { name: "..", description: "Two dots." },
];
const GROUPED = [
  { name: "weather_now" },
  { name: "weather_past", annotations: { readOnlyHint: true } },
  { name: "weather_clear", annotations: { destructiveHint: true } },
  { name: "parts" },
  { name: "many" },
  { name: "liar" },
];

const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(".tool-row")];
const count = (number: number): Promise<void> => until(() => expect(rows()).toHaveLength(number));
const title = (name: string): Promise<void> => until(() => expect(one("main h2").textContent).toBe(name));
const status = (): HTMLElement => one(".validity [role=status]");
const isBlocked = (): Promise<void> => until(() => expect(button("Execute").getAttribute("aria-disabled")).toBe("true"));
const history = (): HTMLElement => named("section", "History");

/** Open one tool, and wait for its form. */
async function opened(name: string, options: ConstructorParameters<typeof Page>[1] = {}, tools = TOOLS as never): Promise<Page> {
  const page = new Page(tools, { hash: `#/tools/${encodeURIComponent(name)}`, ...options });
  await until(() => page.form);
  return page;
}

/** A reply that comes when it is let go. */
function held(): { readonly reply: Promise<Reply>; readonly go: (reply: Reply) => void } {
  let go: (reply: Reply) => void = () => undefined;
  const reply = new Promise<Reply>((resolve) => {
    go = resolve;
  });
  return { reply, go: (each) => go(each) };
}

const needsToken = (token: string) => ({
  call: ({ headers, body }: { headers: Headers; body: string }): Reply =>
    headers.get("authorization") === `Bearer ${token}` ? answered(`took ${body}`) : { status: 401, body: { error: "Unauthorized" } },
});

async function give(token: string): Promise<void> {
  fill(await until(() => field("Token")), token);
  await until(() => expect(field("Token").value).toBe(token));
  one("form.token").dispatchEvent(new SubmitEvent("submit", { bubbles: true, cancelable: true }));
}

test("every tool is listed with its hints, in the server's order", async () => {
  const page = new Page(TOOLS);
  await count(TOOLS.length);
  expect(page.text).toContain(`${TOOLS.length} tools`);
  expect(rows()[0]?.textContent).toMatch(/get_weather.*read-onlyopen world/);
  expect(rows()[1]?.textContent).toContain("destructive");
  expect(document.title).toBe("Weather desk");
});

test("the filter works from the keyboard: a slash goes there, words narrow, arrows and Enter choose", async () => {
  const page = new Page(TOOLS);
  await count(TOOLS.length);
  press("/", {}, document.body);
  const search = document.activeElement as HTMLInputElement;
  expect(search.type).toBe("search");
  fill(search, "RECORD remove");
  await count(1);
  expect(page.text).toContain(`1 of ${TOOLS.length} tools`);
  press("Escape");
  await count(TOOLS.length);
  press("ArrowDown");
  press("ArrowDown");
  press("Enter");
  await title("delete_record");
});

test("a filter that fits nothing says so", async () => {
  const page = new Page(TOOLS);
  await count(TOOLS.length);
  fill(one<HTMLInputElement>("input[type=search]"), "zzz");
  await page.shows("No tool matches “zzz”.");
});

test("tools are grouped by their first segment, and each group says how many", async () => {
  new Page(GROUPED);
  await count(6);
  const heads = [...document.querySelectorAll(".group-head")].map((each) => each.textContent);
  expect(heads).toEqual(["weather3 tools", "Others3 tools"]);
  expect(rows()[1]?.textContent).toContain("read-only");
  expect(rows()[2]?.textContent).toContain("destructive");
});

test("a group is closed and opened by mouse, by arrows and all at once; a filter opens what it finds", async () => {
  const page = new Page(GROUPED);
  await count(6);
  const head = (): HTMLElement => document.querySelector<HTMLElement>(".group-head") as HTMLElement;
  const search = one<HTMLInputElement>("input[type=search]");
  head().click();
  await count(3);
  expect(head().getAttribute("aria-expanded")).toBe("false");
  fill(search, "past");
  await count(1);
  fill(search, "");
  await count(3);
  head().focus();
  press("ArrowRight");
  await count(6);
  press("ArrowDown");
  expect(document.activeElement?.textContent).toContain("weather_now");
  press("ArrowLeft");
  await until(() => expect(document.activeElement).toBe(head()));
  press("ArrowLeft");
  await count(3);
  button("Collapse all").click();
  await count(0);
  button("Expand all").click();
  await count(6);

  // Also after a look at another page.
  button("Collapse all").click();
  await count(0);
  fill(search, "past");
  await count(1);
  location.hash = "#/log";
  await until(() => expect(document.querySelector(".sidebar")).toBeNull());
  location.hash = "#/";
  await count(1);
  const again = one<HTMLInputElement>("input[type=search]");
  expect(again.value).toBe("past");
  fill(again, "");
  await page.shows("Expand all");
});

test("a tool is shown with its text and its schema", async () => {
  await opened("get_weather");
  expect(one(".description").textContent).toBe(WEATHER.description);
  const schema = named("section", "Input schema");
  const city = [...schema.querySelectorAll(".field")].find((each) => each.textContent?.includes("As people write it"));
  expect(city?.textContent).toMatch(/string.*required/);
  named("[role=tab]", "JSON", schema).click();
  await until(() => expect(named("[role=region]", "Input schema as JSON").textContent).toContain('"maximum": 14'));
});

test("a tool that is not there, a list that fails and a list that is empty are said, each with a way to try again", async () => {
  const page = new Page(TOOLS, { hash: "#/tools/nope" });
  await page.shows("There is no such tool");
  await page.shows("Tool not found: nope");
  expect(button("Try again")).toBeTruthy();
  page.close();
  const answers: Reply[] = [{ status: 500, body: { error: "no" } }, { body: [] }];
  const failing = new Page(TOOLS, { routes: { tools: () => answers.shift() ?? { body: TOOLS } } });
  await failing.shows("The tools could not be listed");
  expect(one("[role=alert]").textContent).toContain("provider failed (status 500)");
  button("Try again").click();
  await failing.shows("The server answered, and its list is empty.");
  button("Try again").click();
  await count(TOOLS.length);
});

test("a name without an address is listed and explained, and is no link", async () => {
  new Page(TOOLS);
  await count(TOOLS.length);
  const row = rows().find((each) => each.textContent?.includes("means a folder in every URL"));
  expect(row?.querySelector("a")).toBeNull();
  expect(row?.textContent).toContain("..");
});

test("the arguments start with what is required, and are kept until they are reset", async () => {
  const page = await opened("get_weather");
  await page.verdict("Valid");
  expect(page.written).toBe('{\n  "city": ""\n}');
  page.write('{"city": "Oslo"}');
  location.hash = "#/tools/numbers";
  await title("numbers");
  location.hash = "#/tools/get_weather";
  await title("get_weather");
  await until(() => expect(page.written).toBe('{"city": "Oslo"}'));
  button("Reset").click();
  await until(() => expect(page.written).toBe('{\n  "city": ""\n}'));
});

test.each([
  ["{}", "/city", "line 1, column 1"],
  ['{"city": "x", "place": {}}', "/place/zip", "line 1, column 15"],
  ['{"city": "x", "place": {"zip": "1", "a/b": 5}}', "/place/a~1b", "line 1, column 44"],
  ['{"city": "x", "days": 1, "days": 0}', "/days", "line 1, column 34"],
])("an issue of %s is listed at its position", async (text, pointer, position) => {
  const page = await opened("get_weather", { routes: { validate: ({ body }) => (body === text ? invalid(pointer) : { body: { valid: true } }) } });
  page.write(text);
  await page.verdict("1 problem");
  const problems = [...document.querySelectorAll(".problems > li.error")];
  expect(problems).toHaveLength(1);
  expect(problems[0]?.textContent).toContain(pointer);
  expect(problems[0]?.textContent).toContain(position);
  await isBlocked();
  await page.shows("The arguments do not match the schema.");
});

test("broken JSON is shown at once and never sent", async () => {
  const page = await opened("get_weather");
  await page.verdict("Valid");
  const broken = '{"city": "Oslo" "days": 1}';
  page.write(broken);
  await page.verdict("Not JSON yet; nothing was sent.");
  await page.shows("line 1, column 17", () => one(".problems"));
  await isBlocked();
  named("[role=tab]", "Take away").click();
  (await until(() => button("Python, MCP SDK"))).click();
  await page.shows("The JSON is broken", () => one(".take"));
  await page.shows("this text would be wrong as well");
  page.write('{"city": "Bergen"}');
  await page.verdict("Valid");
  expect(page.bodies("validate")).not.toContain(broken);
});

test("only the newest verdict counts", async () => {
  const slow = held();
  const page = await opened("get_weather", { routes: { validate: ({ body }) => (body.includes("99") ? slow.reply : { body: { valid: true } }) } });
  await page.verdict("Valid");
  page.write('{"city": "Oslo", "days": 99}');
  await until(() => expect(page.bodies("validate").at(-1)).toContain("99"));
  page.write('{"city": "Oslo", "days": 9}');
  await page.verdict("Valid");
  slow.go(invalid("/days"));
  await slow.reply;
  expect(status().textContent).toBe("Valid");
  expect(document.querySelector(".problems")).toBeNull();
});

test("Ctrl+Enter waits for the verdict on what stands there", async () => {
  let next = held();
  const page = await opened("get_weather", { routes: { validate: () => next.reply } });
  const enter = (): void => press("Enter", { ctrlKey: true, code: "Enter" }, page.editor.contentDOM);
  next.go(invalid("/city"));
  await page.verdict("1 problem");
  next = held();
  page.write('{"city": "Oslo"}');
  await page.verdict("Checking…");
  enter();
  await until(() => expect(page.bodies("validate").at(-1)).toContain("Oslo"));
  expect(page.bodies("call")).toEqual([]);
  next.go({ body: { valid: true } });
  await page.shows("Success", () => page.result);

  next = held();
  next.go(invalid("/city"));
  page.write('{"city": 5}');
  await page.verdict("1 problem");
  next = held();
  page.write('{"city": 6}');
  await page.verdict("Checking…");
  enter();
  next.go(invalid("/city"));
  await page.verdict("1 problem");
  expect(page.bodies("call")).toEqual(['{"city": "Oslo"}']);
});

test("a broken schema is said to be the tool's own fault", async () => {
  const page = await opened("numbers", { routes: { validate: () => invalid({ path: "", keyword: "schema" }) } });
  await page.verdict("The tool's own schema is broken, so nothing can match it.");
  await isBlocked();
  await page.shows("The tool's own schema is broken.", () => one("#run-reason"));
});

test("execution that is off is said to be off, and validation goes on", async () => {
  const page = await opened("get_weather", { config: { allowExecute: false }, routes: { validate: () => invalid("/city") } });
  await page.verdict("1 problem");
  await isBlocked();
  await page.shows("Execution is switched off on this server.");
});

test("an error of the tool is not a success", async () => {
  const reply = answered("No such city.", { isError: true, _meta: { _trace_id: "trace-7" } });
  const page = await opened("numbers", { routes: { call: () => reply } });
  await page.run("Tool error");
  await page.shows("No such city.", () => page.result);
  await page.shows("trace-7", () => page.result);
});

test.each<[string, Reply, string]>([
  ["a crash", { status: 500, body: { error: "Internal error" } }, "The call failed (status 500)"],
  ["a proxy's page", { status: 502, body: "<h1>Bad gateway</h1>" }, "The server answered with status 502."],
  ["a refusal", { status: 403, body: { error: "no" } }, "The server refuses to execute (status 403)"],
  ["a large body", { status: 413, body: { error: "no" } }, "The arguments are larger than this server accepts."],
  ["a busy server", { status: 503, headers: { "Retry-After": "7" } }, "It asks to wait 7 s."],
  ["a busy server without a time", { status: 503 }, "Try again in a moment."],
  ["arguments", invalid({ path: "/n", message: "is no integer" }), "/n is no integer"],
])("%s is a sentence in the result", async (_, reply, sentence) => {
  const page = await opened("numbers", { routes: { call: () => reply } });
  await page.run(sentence);
});

test("a lost server is said to be lost, with a way to try again", async () => {
  const lost = "The server cannot be reached. Is it still running?";
  const page = await opened("numbers");
  await page.verdict("Valid");
  const fail = (): never => {
    throw new TypeError("Failed to fetch");
  };
  page.routes = { call: fail, validate: fail };
  await page.run(lost);
  page.write('{"n": 1}');
  await page.verdict(`Not checked: ${lost}`);
  page.routes = {};
  button("Check again").click();
  await page.verdict("Valid");
  button("Try again").click();
  await page.shows("Success", () => page.result);
});

test("a running call shows its time, can be cancelled, and is not in the history", async () => {
  const page = await opened("numbers", { routes: { call: () => held().reply } });
  await page.run("Waiting for the answer…");
  await until(() => expect(one("[role=timer]").textContent).toMatch(/^Running, \d+\.[1-9] s$/));
  await isBlocked();
  button("Cancel").click();
  await page.shows(/Cancelled after \d+ m?s/, () => page.result);
  await until(() => expect(button("Execute").getAttribute("aria-disabled")).toBe("false"));
  expect(localStorage).toHaveLength(0);
});

test.each(["#/log", "#/targets", "#/tools/get_weather"])("a call goes on while one looks at %s", async (elsewhere) => {
  const slow = held();
  const page = await opened("numbers", { routes: { call: () => slow.reply } });
  page.write('{"city": "Oslo"}');
  await page.run("Waiting for the answer…");
  location.hash = elsewhere;
  await until(() => expect(document.querySelector("[role=timer]")).toBeNull());
  location.hash = "#/tools/numbers";
  await until(() => one("[role=timer]"));
  location.hash = elsewhere;
  await until(() => expect(document.querySelector("[role=timer]")).toBeNull());
  slow.go(answered("Oslo"));
  await until(() => expect(JSON.stringify({ ...localStorage })).toContain("Oslo"));
  location.hash = "#/tools/numbers";
  await page.shows("Oslo", () => named("[role=region]", "Content 1"));
  expect(history().querySelectorAll("li")).toHaveLength(1);
});

test("a token is asked for and sent, and a wrong one is refused", async () => {
  const page = await opened("numbers", { routes: needsToken("open sesame") });
  await page.run("The server asks for a token");
  await give("wrong");
  await page.shows("The server refused this token", () => page.result);
  await give("open sesame");
  await page.shows("Success", () => page.result);
  named("[role=tab]", "Take away").click();
  await page.shows('-H "Authorization: Bearer $TOOLGAUGE_TOKEN"', () => named("[role=region]", "cURL command"));
  expect(JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href, document.documentElement.outerHTML])).not.toContain("sesame");
});

test("a token is refused only where it was sent; else the page says why nothing was sent", async () => {
  const page = await opened("get_weather", { routes: needsToken("sesame-42") });
  page.write('{"city": "Oslo"}');
  await page.run("The server asks for a token");
  fill(field("Token"), "złoty");
  await page.shows("This cannot be sent", () => page.result);
  page.routes["validate"] = () => invalid("/city");
  page.write('{"city": 5}');
  await page.verdict("1 problem");
  await give("sesame-42");
  await page.shows("Nothing was sent: The arguments do not match", () => page.result);
  expect(page.result.textContent).not.toContain("refused");
  delete page.routes["validate"];
  page.write('{"city": "Oslo"}');
  await page.run();
  expect(page.bodies("call")).toEqual(['{"city": "Oslo"}', '{"city": "Oslo"}']);
});

test("a token is in no draft and in no run, and what is masked is not put into the editor", async () => {
  const page = await opened("get_weather", { routes: needsToken("sesame-42") });
  const kept = (): string => JSON.stringify({ ...localStorage, ...sessionStorage });
  page.write('{"city": "sesame-42"}');
  await page.run("The server asks for a token");
  await give("sesame-42");
  await page.shows("Success", () => page.result);
  expect(kept()).not.toContain("sesame");
  expect(kept()).toContain("[token]");
  button("Forget the token").click();
  const text = '{"city": "sesame-42", "days": 1}';
  page.write(text);
  await page.verdict("Valid");
  expect(kept()).not.toContain("sesame");
  history().querySelector<HTMLElement>(".run-open")?.click();
  await page.shows("held the token", () => page.result);
  expect(page.written).toBe(text);
});

test("a short token corrupts no run: the texts are not kept, and the outcome is", async () => {
  const page = await opened("get_weather", { routes: needsToken("1") });
  page.write('{"city": "Oslo", "days": 1}');
  await page.run("The server asks for a token");
  await give("1");
  await page.shows("Success", () => page.result);
  const [key = ""] = Object.keys(localStorage);
  expect(JSON.parse(localStorage.getItem(key) ?? "")).toMatchObject([{ args: null, body: null, verdict: "good", status: 200 }]);
  history().querySelector<HTMLElement>(".run-open")?.click();
  await page.shows("This answer held the token", () => page.result);
  expect(page.written).toBe('{"city": "Oslo", "days": 1}');
});

test("what was typed outlives a reload, of each tool, also where it is no JSON yet", async () => {
  const page = await opened("get_weather");
  page.write('{"city": "Oslo", "days": 1.0}');
  location.hash = "#/tools/numbers";
  await title("numbers");
  page.write('{"city": "Ber');
  await page.verdict("Not JSON yet; nothing was sent.");
  page.close();
  const again = await opened("numbers");
  expect(again.written).toBe('{"city": "Ber');
  location.hash = "#/tools/get_weather";
  await title("get_weather");
  await until(() => expect(again.written).toBe('{"city": "Oslo", "days": 1.0}'));
});

test("a run is recalled once: not again by the other view, by another page or by a reload", async () => {
  const page = await opened("get_weather");
  page.write('{"city": "Oslo"}');
  await page.run();
  const [run] = JSON.parse(localStorage.getItem(Object.keys(localStorage)[0] ?? "") ?? "[]") as { id: string }[];
  const recall = `#/tools/get_weather?run=${run?.id}`;
  page.write('{"city": "Bergen"}');
  location.hash = recall;
  await until(() => expect(page.written).toBe('{"city": "Oslo"}'));
  await until(() => expect(location.hash).not.toContain("run="));
  page.write('{"city": "Hammerfest"}');
  await page.verdict("Valid");
  const here = location.hash;
  for (const elsewhere of ["#/tools/get_weather?view=targets", "#/log"]) {
    location.hash = elsewhere;
    await until(() => expect(document.querySelector(".composer")?.closest("[hidden]") ?? null).toBe(document.querySelector(".column")));
    location.hash = here;
    await page.shows("of the run at", () => page.result);
    expect(page.written).toBe('{"city": "Hammerfest"}');
  }
  page.close();
  const again = await opened("get_weather");
  expect(again.written).toBe('{"city": "Hammerfest"}');
  // The same link asks again.
  location.hash = recall;
  await until(() => expect(again.written).toBe('{"city": "Oslo"}'));
});

test("two runs are compared line by line, the older one on the left", async () => {
  const page = await opened("get_weather");
  for (const city of ["Oslo", "Bergen"]) {
    page.write(`{"city": "${city}", "days": 1}`);
    await page.verdict("Valid");
    await page.run();
    await page.shows(city, () => history());
  }
  expect(history().querySelectorAll(".runs li")).toHaveLength(2);
  for (const box of history().querySelectorAll<HTMLInputElement>("[type=checkbox]")) {
    box.click();
    await until(() => expect(box.checked).toBe(true));
  }
  const changed = one(".changed", await until(() => named("[role=region]", "Arguments compared")));
  expect(one(".left", changed).textContent).toContain("Oslo");
  expect(one(".right", changed).textContent).toContain("Bergen");
  named("[role=tab]", "Results").click();
  await until(() => expect(named("[role=region]", "Results compared").querySelector(".changed")).not.toBeNull());
});

test("reloading the list reloads the open tool, and keeps what was typed", async () => {
  let tools: object[] = [{ name: "tool", description: "Old.", inputSchema: { properties: { a: {} } } }];
  const page = await opened("tool", {
    routes: { tools: () => ({ body: tools }), detail: () => (tools[0] ? { body: tools[0] } : { status: 404, body: { error: "Tool not found" } }) },
  });
  page.write('{"a": "typed"}');
  await page.verdict("Valid");
  tools = [{ name: "tool", description: "New.", inputSchema: { properties: { b: { type: "integer" } }, required: ["b"] } }];
  page.routes["validate"] = () => invalid("/b");
  button("Reload the list").click();
  await page.shows("New.", () => one("main"));
  await until(() => field("b", page.form));
  expect(page.written).toBe('{"a": "typed"}');
  await page.verdict("1 problem");
  tools = [];
  button("Reload the list").click();
  await page.shows("There is no such tool");
});

test("a result is shown by the kind of its parts", async () => {
  const svg = btoa("<svg xmlns='http://www.w3.org/2000/svg'/>");
  const body = {
    content: [
      { type: "image", mimeType: "image/svg+xml", data: svg },
      { type: "image", mimeType: "text/html", data: svg },
      { type: "text", text: '{"a":[1.0]}' },
      { type: "resource_link", name: "notes", uri: "javascript:alert(1)" },
    ],
    structuredContent: { total: 3 },
    isError: false,
  };
  const page = await opened("numbers", { routes: { call: () => ({ body }) } });
  await page.run();
  expect(page.result.querySelectorAll("img")).toHaveLength(1);
  expect(named("[role=region]", "Content 2").textContent).toContain("text/html");
  expect(named("[role=region]", "Content 3").textContent).toBe('{\n  "a": [1.0]\n}');
  expect(page.result.querySelector("a[href^=javascript]")).toBeNull();
  named("[role=tab]", "Structured").click();
  await page.shows("total", () => named("[role=region]", "Structured content"));
});

test("an answer that breaks its schema is not shown, but where it does", async () => {
  const reply = { content: [], isError: true, errors: [{ path: "/rows", keyword: "type", message: "is no list" }] };
  const tool = { name: "liar", outputSchema: { type: "object", properties: { rows: { type: "array" } } } };
  const page = await opened("liar", { routes: { call: () => ({ body: reply }) } }, [tool] as never);
  await page.run("breaks the tool's output schema");
  await page.shows("/rows", () => one("[role=alert]"));
  await page.shows('"type": "array"', () => one("[role=alert]"));
});

test("of ten thousand parts the first are shown", async () => {
  const parts = Array.from({ length: 10_000 }, (_, index) => ({ type: "text", text: `part ${index}` }));
  const page = await opened("numbers", { routes: { call: () => ({ body: { content: parts, structuredContent: parts } }) } });
  await page.run();
  await page.shows("The first 50 of 10,000 parts", () => page.result);
  named("[role=tab]", "Structured").click();
  await until(() => expect(page.result.querySelector("[role=treeitem]")?.textContent).toContain("10,000 items"));
  expect(page.result.querySelectorAll("[role=treeitem]").length).toBeLessThan(100);
});

test("what is typed is still there after a look at the targets", async () => {
  const page = await opened("numbers", { routes: { targets: () => ({ body: { targets: [] } }) } });
  page.write('{"typed": true}');
  link("Targets", one(".views")).click();
  await until(() => expect(one(".composer").closest("[hidden]")).not.toBeNull());
  link("Try it").click();
  await until(() => expect(one(".composer").closest("[hidden]")).toBeNull());
  expect(page.written).toBe('{"typed": true}');
});

test("a form is given as each provider wants it, and can fail alone", async () => {
  const formats = [{ name: "openai", title: "OpenAI", tools: [{ type: "function", x: 1.0 }] }];
  const page = await opened("numbers", { routes: { formats: () => ({ body: '{"formats": [{"name": "openai", "title": "OpenAI", "tools": [{"type": "function", "x": 1.0}]}]}' }) } });
  named("[role=tab]", "Take away").click();
  (await until(() => button("OpenAI"))).click();
  const region = await until(() => named("[role=region]", "tool for OpenAI"));
  expect(region.textContent).toContain('"x": 1.0');
  expect(JSON.parse(region.textContent ?? "")).toEqual(formats[0]?.tools);
  page.close();
  const other = await opened("numbers", { routes: { formats: () => ({ status: 500, body: { error: "Oh" } }) } });
  named("[role=tab]", "Take away").click();
  await other.shows("Oh", () => one(".take"));
});

test("markup in an address is text", async () => {
  const page = await opened("numbers", {
    hash: "#/tools/numbers?fault=%3Cimg%20src%3Dx%3E%40%2F%E2%80%AE%3Cb%3E&target=%3Cscript%3E&run=__proto__",
  });
  await page.shows("<img src=x>", () => one("[role=alert]"));
  expect(document.querySelector("img, b, script")).toBeNull();
  expect(page.text).not.toContain("\u202e");
  expect(page.text).toContain("\\u202e");
});

test("a text that turns others round does so nowhere: not in the form, its choices, its hints or the schema", async () => {
  const turn = "safe\u202etxt.exe\u2066";
  const kind = { type: "object", title: turn, properties: { q: { type: "string", default: turn } } };
  const properties = {
    text: { type: "string", pattern: `^${turn}$`, examples: [turn] },
    form: { type: "string", format: turn },
    short: { type: "string", maxLength: 1, description: turn },
    one: { anyOf: [{ const: turn, title: turn, description: turn }, { const: "q" }] },
    list: { enum: [turn, "x"], default: turn },
    kind: { oneOf: [kind, { type: "array", title: "V" }] },
    [turn]: { type: "integer" },
  };
  const tool = { name: "tool", description: turn, title: turn, inputSchema: { type: "object", properties } };
  const page = await opened("tool", { routes: { validate: () => invalid({ path: "/text", keyword: "pattern", message: turn }, `/${turn}`) } }, [tool] as never);
  page.write(JSON.stringify({ text: "b", short: turn, one: turn, list: "n", [turn]: "x", kind: {} }));
  await page.verdict("2 problems");
  const attributes = [...document.querySelectorAll("*")].flatMap((each) =>
    ["placeholder", "title", "aria-label"].map((name) => each.getAttribute(name) ?? ""),
  );
  const values = [...document.querySelectorAll("input, textarea")].length;
  expect(values).toBeGreaterThan(5);
  expect([page.text, ...attributes].join()).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  page.close();
  const missing = new Page([], { hash: `#/tools/${encodeURIComponent(turn)}` });
  await missing.shows("There is no such tool");
  await missing.shows("u202e", () => one("[role=alert].warn"));
});

test.each([
  "",
  "[]",
  "<!doctype html><h1>Bad gateway</h1>",
  '{"tools": 5, "targets": {"a": 1}}',
  '{"tools": [{"targets": []}, 5], "targets": [null, {"name": 5, "groups": "x"}]}',
])("an answer that is something else breaks nothing: %s", async (body) => {
  const routes = Object.fromEntries(["matrix", "targets", "log", "formats"].map((key) => [key, () => ({ body })]));
  const page = new Page(TOOLS, { routes, config: { log: true } });
  await count(TOOLS.length);
  for (const hash of ["#/targets", "#/log", "#/tools/numbers?view=targets"]) {
    location.hash = hash;
    await page.shows(/could not be asked|cannot be followed|No tool matches|No target refuses it|targets accept all/, () => one("main"));
  }
  expect(document.querySelector("main h1")).toBeNull();
});

const TARGET = { groups: ["providers"], lowers: true, errors: 0, warnings: 0, advice: 0, verdict: "accepted" };
const NOBODY = { status: 404, body: { error: "Target not found: nobody" } };

test("what cannot be lowered says why, and a target that takes tools as they are says that", async () => {
  const heads = [{ ...TARGET, name: "strict", title: "Strict" }, { ...TARGET, name: "cursor", title: "Cursor", groups: ["clients"], lowers: false }];
  const page = new Page(TOOLS, {
    hash: "#/tools/numbers?view=targets&target=strict",
    routes: {
      targets: () => ({ body: { targets: heads } }),
      target: ({ path }) => ({
        body: path.endsWith("strict") ? { target: heads[0], refused: { reason: "It is a list", fix: "wrap it" } } : { target: heads[1] },
      }),
    },
  });
  (await until(() => named("[role=tab]", "What it would take"))).click();
  await page.shows("This tool cannot be made acceptable");
  await page.shows("To mend it: wrap it.");
  named<HTMLAnchorElement>("a", "✓Cursor accepts it").click();
  await until(() => expect(one(".target-card h3").textContent).toContain("Cursor"));
  named("[role=tab]", "What it would take").click();
  await page.shows("Tools go to Cursor as they are");
});

test("targets that cannot be asked can be asked again, with the server's own sentence", async () => {
  const page = new Page(TOOLS, { hash: "#/tools/numbers?view=targets&target=nobody", routes: { targets: () => ({ body: { targets: [] } }), target: () => NOBODY } });
  await page.shows("Target not found: nobody");
  page.routes["matrix"] = () => ({ status: 500, body: { error: "Oh" } });
  location.hash = "#/targets";
  await page.shows("Oh", () => one("[role=alert]"));
  page.routes["matrix"] = () => ({ body: { targets: [{ ...TARGET, name: "strict", title: "Strict" }], tools: [{ name: "numbers" }], findings: [] } });
  button("Try again").click();
  await until(() => one("[role=grid]"));
});

test("the matrix is narrowed to a group, to a name and to tools with findings", async () => {
  const body = {
    targets: [{ ...TARGET, name: "a", title: "A" }, { ...TARGET, name: "b", title: "B", groups: ["clients"] }],
    tools: [{ name: "x/one", targets: { a: { verdict: "refused", errors: 1 } } }, { name: "two" }],
    findings: [],
  };
  const page = new Page(TOOLS, { hash: "#/targets", routes: { matrix: () => ({ body }) } });
  await until(() => one("[role=grid]"));
  const shown = (): string => [...document.querySelectorAll(".matrix-target, .matrix tbody th")].map((each) => each.textContent).join();
  expect(shown()).toBe("a,b,x/one,two");
  button("Clients").click();
  await until(() => expect(shown()).toBe("b,x/one,two"));
  button("All").click();
  await until(() => expect(shown()).toBe("a,b,x/one,two"));
  one("[type=checkbox]").click();
  await until(() => expect(shown()).toBe("a,b,x/one"));
  one("[type=checkbox]").click();
  fill(one<HTMLInputElement>("input[type=search]"), "X/");
  await until(() => expect(shown()).toBe("a,b,x/one"));
  fill(one<HTMLInputElement>("input[type=search]"), "zzz");
  await page.shows("No tool matches.");
});

test("a long choice is searched, and a usual one is drawn whole", async () => {
  const values = Array.from({ length: 1_000 }, (_, index) => `value ${index}`);
  const properties = { long: { enum: values }, usual: { enum: values.slice(0, 200) } };
  const page = await opened("tool", {}, [{ name: "tool", inputSchema: { type: "object", properties } }] as never);
  expect(field("usual", page.form).querySelectorAll("option")).toHaveLength(201);
  expect(page.form.querySelectorAll("input[type=search]")).toHaveLength(1);
  fill(field("Search the choices of long"), "value 999");
  await until(() => expect(field("long", page.form).querySelectorAll("option")).toHaveLength(2));
});

test("the rest of many rows is shown on demand, in the form and in the schema", async () => {
  const properties = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`p${index}`, { type: "string" }]));
  const page = await opened("tool", {}, [{ name: "tool", inputSchema: { type: "object", properties } }] as never);
  expect(() => field("p60", page.form)).toThrow();
  button("Show more of 940", page.form).click();
  fill(await until(() => field("p60", page.form)), "x");
  await page.holds({ p60: "x" });
  const schema = named("section", "Input schema");
  expect(schema.querySelectorAll(".field")).toHaveLength(100);
  button("Show more of 900", schema).click();
  await until(() => expect(schema.querySelectorAll(".field")).toHaveLength(300));
});

test("the rest of a long text is shown on demand, in parts", async () => {
  const description = "lorem ipsum ".repeat(100_000);
  await opened("tool", {}, [{ name: "tool", title: "t".repeat(1_000_000), description }] as never);
  expect(one(".description").textContent?.length).toBeLessThan(2_000);
  expect(one(".tool-title").textContent?.length).toBeLessThan(6_000);
  button("Show all of the description").click();
  const shown = await until(() => named("[role=region]", "Description"));
  expect(shown.textContent).toHaveLength(100_000);
  button("Show more").click();
  await until(() => expect(shown.textContent).toHaveLength(200_000));
  button("Show less").click();
  await until(() => expect(() => named("[role=region]", "Description")).toThrow());
});

const LINE = { ts: "2026-03-01T10:00:00Z", traceId: "t", requestId: "r", durationMs: 1.5, route: "/call", method: null, status: 200, canonicalCode: null, errors: [] };
const WRONG = { status: 400, canonicalCode: "INVALID_INPUT", errors: [{ path: "/params/arguments/city", keyword: "minLength" }] };
const LOG = [
  { ...LINE, number: 1, tool: "mcp.tool:weather_now" },
  { ...LINE, number: 2, tool: "mcp.tool:get_weather", ...WRONG },
  { ...LINE, number: 3, tool: "mcp.tool:liar", status: 502, canonicalCode: "BROKEN" },
];
const lines = (number: number): Promise<void> => until(() => expect(document.querySelectorAll("tr[data-number]")).toHaveLength(number));
const log = (records: readonly object[], feed = "f"): Reply => ({ body: { feed, last: records.length, records } });

test("lines of the log are filtered by tool and code, and stand still while they are read", async () => {
  let records = LOG;
  const page = new Page(TOOLS, { hash: "#/log", config: { log: true }, routes: { log: () => log(records) } });
  await lines(3);
  const [search, code] = [one<HTMLInputElement>("input[type=search]"), one<HTMLSelectElement>("select")];
  fill(search, "weather");
  await lines(2);
  fill(code, "INVALID_INPUT");
  await lines(1);
  fill(search, "");
  fill(code, "failed");
  await lines(2);
  button("Pause").click();
  await until(() => expect(button("Pause").getAttribute("aria-pressed")).toBe("true"));
  const asked = page.sent.length;
  records = [...LOG, { ...LINE, number: 4, tool: "mcp.tool:liar", status: 500, canonicalCode: "BROKEN" }];
  expect(page.sent.length).toBe(asked);
  await lines(2);
  button("Pause").click();
  await lines(3);
});

test("a line of somebody else's call leads to the place that was wrong", async () => {
  const page = new Page(TOOLS, { hash: "#/log", config: { log: true }, routes: { log: () => log(LOG) } });
  await lines(3);
  link("Tool get_weather").click();
  for (const text of ["What the log says", "/city", "minLength", '"minLength": 2']) await page.shows(text, () => one("[role=alert]"));
});

test("without the switch there is no log, neither in the navigation nor beside a result", async () => {
  const page = await opened("numbers");
  await page.run();
  expect(() => link("Log")).toThrow();
  expect(() => link("in the log")).toThrow();
  page.close();
  const other = await opened("numbers", { config: { log: true } });
  await other.run();
  expect(link("Log").hash).toBe("#/log");
  expect(link("in the log").hash).toMatch(/^#\/log\?trace=[0-9a-f]{32}$/);
});

test("the log asks for the same token as a call", async () => {
  const page = new Page(TOOLS, {
    hash: "#/log",
    config: { log: true },
    routes: { log: ({ headers }) => (headers.get("authorization") === "Bearer sesame" ? log([]) : { status: 401 }) },
  });
  await give("wrong");
  await page.shows("The server refused this token");
  await give("sesame");
  await page.shows("Nothing was logged yet.");
  button("Forget the token").click();
  await page.shows("The server asks for a token");
});

test("a log that can no longer be followed keeps what is known", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"], shouldAdvanceTime: true, advanceTimeDelta: 200 });
  try {
    const page = new Page(TOOLS, { hash: "#/log", config: { log: true }, routes: { log: () => log(LOG) } });
    await lines(3);
    page.routes["log"] = () => {
      throw new TypeError("Failed to fetch");
    };
    await page.shows("The log cannot be followed", () => one("[role=alert]"));
    await lines(3);
  } finally {
    vi.useRealTimers();
  }
});

test("hostile names in the log are shown as text, and lead nowhere where they have no address", async () => {
  const names = [MARKUP, "safe\u202etxt", ".."];
  const records = names.map((name, index) => ({ ...LINE, ...WRONG, number: index + 1, tool: `mcp.tool:${name}` }));
  const page = new Page(TOOLS, { hash: "#/log", config: { log: true }, routes: { log: () => log(records) } });
  await lines(3);
  expect(page.text).toContain(MARKUP);
  expect(page.text).not.toContain("\u202e");
  expect(document.querySelector("img")).toBeNull();
  expect(document.querySelectorAll(".log-open a")).toHaveLength(2);
});
