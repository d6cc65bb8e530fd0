// @vitest-environment jsdom
import { undo } from "@codemirror/commands";
import { expect, test } from "vitest";
import { Page, button, choose, chosenOf, field, fill, invalid, named, one, optionsOf, press, until } from "./page";

const ROLE = { anyOf: [{ $ref: "#/$defs/Role" }, { type: "null" }], default: null };
const SCHEMA = {
  type: "object",
  properties: {
    city: { type: "string", description: "As people write it" },
    days: { type: "integer", minimum: 1, maximum: 14, default: 3 },
    exact: { type: "number" },
    active: { type: "boolean", default: true },
    level: { enum: ["low", 1, "1", null] },
    role: ROLE,
    note: { type: ["string", "null"] },
    day: { type: "string", format: "date" },
    place: {
      type: "object",
      properties: { street: { type: "string" }, zip: { type: "string" } },
      required: ["zip"],
    },
    tags: { type: "array", items: { type: "string" } },
    pair: { type: "array", prefixItems: [{ type: "string" }, { type: "integer" }], items: false },
    headers: { type: "object", additionalProperties: { type: "string" } },
    id: { type: ["string", "integer"] },
    anything: {},
    tree: { $ref: "#/$defs/Node" },
  },
  required: ["city"],
  additionalProperties: false,
  $defs: {
    Role: { type: "string", enum: ["admin", "guest"] },
    Node: {
      type: "object",
      properties: { name: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/Node" } } },
      required: ["name"],
    },
  },
};

/** Open the page of one tool with this schema. */
async function compose(schema: object = SCHEMA, routes = {}): Promise<Page> {
  const page = new Page([{ name: "tool", inputSchema: schema }], { hash: "#/tools/tool", routes });
  await until(() => page.form);
  return page;
}

/** Put a value into a field of the form, and wait until the text has it. */
async function put(page: Page, name: string, value: string): Promise<void> {
  fill(field(name, page.form), value);
  await until(() => expect(field(name, page.form).value).toBe(value));
}

async function pressed(page: Page, name: string): Promise<void> {
  (await until(() => button(name, page.form))).click();
}

/** Type where the focus went, once it went there. */
async function type(page: Page, name: string, text: string): Promise<void> {
  await until(() => expect(document.activeElement).toBe(field(name, page.form)));
  fill(document.activeElement as HTMLInputElement, text);
}

test("big integers and spellings survive edits in the form", async () => {
  const page = await compose();
  page.write('{"exact": 1.0, "days": 12345678901234567890, "city": "x"}');
  await until(() => expect(field("exact", page.form).value).toBe("1.0"));
  expect(field("days", page.form).value).toBe("12345678901234567890");
  await put(page, "city", "y");
  expect(page.written).toBe('{"exact": 1.0, "days": 12345678901234567890, "city": "y"}');
  await put(page, "exact", "1.50e3");
  await put(page, "days", "1");
  expect(page.written).toBe('{"exact": 1.50e3, "days": 1, "city": "y"}');
  await page.run();
  expect(page.bodies("call")).toEqual(['{"exact": 1.50e3, "days": 1, "city": "y"}']);
});

test("an optional is left out until it is wished", async () => {
  const page = await compose();
  await put(page, "note", "a");
  await page.holds({ city: "", note: "a" });
  await put(page, "note", "");
  await page.holds({ city: "" });
  await pressed(page, "Set note to empty text");
  await page.holds({ city: "", note: "" });
  await pressed(page, "note is null");
  await page.holds({ city: "", note: null });
  await pressed(page, "Leave note out");
  await page.holds({ city: "" });
  expect(field("days", page.form).getAttribute("placeholder")).toBe("default: 3");
  one<HTMLInputElement>("input[type=radio]:not([id])", page.form).click();
  await page.holds({ city: "", active: false });
  await pressed(page, "Leave active out");
  await page.holds({ city: "" });
});

test("choices keep the type of their values", async () => {
  const page = await compose();
  expect(optionsOf(field("level", page.form))).toEqual(["not set", "low", "1", '"1"', "null"]);
  for (const [label, level] of [["1", 1], ['"1"', "1"], ["null", null], ["low", "low"]] as const) {
    choose(field("level", page.form), label);
    await page.holds({ city: "", level });
  }
  choose(field("level", page.form), "not set");
  await page.holds({ city: "" });
  page.write('{"city": "", "level": "strange"}');
  await until(() => expect(chosenOf(field("level", page.form))).toBe('"strange" (not a choice)'));
});

test("C28 a nullable enum is a list with a way back", async () => {
  const page = await compose({
    type: "object",
    properties: { direction: { anyOf: [{ type: "string", enum: ["send", "receive"] }, { type: "null" }] }, role: ROLE },
    $defs: SCHEMA.$defs,
  });
  expect(optionsOf(field("role", page.form))).toEqual(["not set (default: null)", "admin", "guest", "null"]);
  choose(field("direction", page.form), "send");
  await page.holds({ direction: "send" });
  await page.run("send");
  choose(field("direction", page.form), "not set");
  await page.holds({});
  await page.run("took {}");
  expect(page.bodies("call").map((each) => JSON.parse(each))).toEqual([{ direction: "send" }, {}]);
});

test("C29 JSON typed into a field is sent as an object, and broken JSON is not sent", async () => {
  const open = { type: "object", additionalProperties: true };
  const page = await compose({
    type: "object",
    properties: { config: open, params: { anyOf: [open, { type: "null" }], default: null } },
    required: ["config"],
  });
  fill(field("config", page.form), '{"a": ');
  await page.shows("This is not JSON");
  await page.shows("/config", () => named("ul", "Problems"));
  expect(button("Execute").getAttribute("aria-disabled")).toBe("true");
  fill(field("config", page.form), '{"a": 1}');
  await until(() => expect(document.querySelector(".problems")).toBeNull());
  fill(field("params", page.form), '{"a": 1}');
  await page.run();
  expect(page.bodies("call").map((each) => JSON.parse(each))).toEqual([{ config: { a: 1 }, params: { a: 1 } }]);
});

test("C32 a union at the root is chosen and filled", async () => {
  const branch = (kind: string, member: string) => ({
    properties: { kind: { const: kind }, [member]: { type: "string" } },
    required: ["kind", member],
  });
  const page = await compose({ type: "object", anyOf: [branch("email", "address"), branch("sms", "phone")] });
  const chooser = () => field("Kind of Arguments", page.form);
  await put(page, "address", "a@example.org");
  choose(chooser(), "sms");
  await until(() => field("phone", page.form));
  expect(() => field("address", page.form)).toThrow("no input");
  await put(page, "phone", "1");
  await page.run();
  choose(chooser(), "email");
  await until(() => expect(field("address", page.form).value).toBe("a@example.org"));
  page.routes["validate"] = () => invalid({ path: "", keyword: "anyOf" });
  page.write("{}");
  await page.verdict("1 problem");
  await page.shows("anyOf", () => one(".form-root > .form-problems", page.form));
  page.write('{"kind": "sms", "phone": "2"}');
  await until(() => expect(chosenOf(chooser())).toBe("sms"));
  expect(page.bodies("call").map((each) => JSON.parse(each))).toEqual([{ kind: "sms", phone: "1" }]);
});

test("objects, lists and maps are built in the form", async () => {
  const page = await compose();
  await put(page, "city", "x");
  await pressed(page, "Add place");
  await until(() => expect(document.activeElement).toBe(field("street", page.form)));
  await put(page, "zip", "5003");
  await page.holds({ city: "x", place: { zip: "5003" } });
  await pressed(page, "Leave place out");

  await pressed(page, "Add item to tags");
  await type(page, "1", "one");
  await pressed(page, "Add item to tags");
  await type(page, "2", "two");
  await page.holds({ city: "x", tags: ["one", "two"] });
  await pressed(page, "Move item 2 of tags up");
  await page.holds({ city: "x", tags: ["two", "one"] });
  await pressed(page, "Remove 1");
  await page.holds({ city: "x", tags: ["one"] });
  await pressed(page, "Leave tags out");

  await pressed(page, "Add headers");
  fill(await until(() => field("Name of a new member of headers")), "Accept");
  await until(() => expect(field("Name of a new member of headers").value).toBe("Accept"));
  press("Enter");
  await type(page, "Accept", "text/html");
  await page.holds({ city: "x", headers: { Accept: "text/html" } });
  fill(field("Name of Accept"), "accept");
  await until(() => expect(field("Name of Accept").value).toBe("accept"));
  press("Enter");
  await page.holds({ city: "x", headers: { accept: "text/html" } });
  await pressed(page, "Leave headers out");

  await pressed(page, "Add item to pair");
  await page.holds({ city: "x", pair: [""] });
  await pressed(page, "Add item to pair");
  await page.shows("No more items are allowed.");
  await page.holds({ city: "x", pair: ["", 0] });
  await pressed(page, "Leave pair out");

  await pressed(page, "Add tree");
  await type(page, "name", "root");
  await pressed(page, "Add item to children");
  await until(() => expect(document.activeElement?.closest(".form-item")).not.toBeNull());
  fill(document.activeElement as HTMLInputElement, "leaf");
  await page.holds({ city: "x", tree: { name: "root", children: [{ name: "leaf" }] } });
  await page.run();
});

test("a kind is chosen where several are allowed", async () => {
  const page = await compose();
  choose(field("Kind of id"), "Whole number");
  await until(() => field("id", page.form));
  await page.holds({ city: "" });
  await put(page, "id", "12");
  await page.holds({ city: "", id: 12 });
  choose(field("Kind of id"), "Text");
  await until(() => expect(field("id", page.form).value).toBe(""));
  await put(page, "id", "12");
  await page.holds({ city: "", id: "12" });
  choose(field("Kind of id"), "not set");
  await page.holds({ city: "" });

  choose(field("Kind of anything"), "List");
  await pressed(page, "Add item to anything");
  choose(await until(() => field("Kind of 1")), "True or false");
  await until(() => expect(page.form.querySelectorAll("input[type=radio]")).toHaveLength(4));
  page.form.querySelectorAll<HTMLInputElement>("input[type=radio]")[2]?.click();
  await page.holds({ city: "", anything: [true] });
  choose(field("Kind of anything"), "null");
  await page.holds({ city: "", anything: null });
});

test("dates are typed or picked", async () => {
  const page = await compose();
  await put(page, "day", "2026-02");
  await page.holds({ city: "", day: "2026-02" });
  await pressed(page, "Pick day");
  fill(one<HTMLInputElement>("input[type=date]"), "2026-02-03");
  await page.holds({ city: "", day: "2026-02-03" });
});

test("half a number is a problem and not a value", async () => {
  const page = await compose();
  await put(page, "days", "5");
  await put(page, "days", "5e");
  await page.shows("This is not a JSON number.", () => page.form);
  await page.holds({ city: "", days: 5 });
  await until(() => expect(one("#run-reason").textContent).toBe("A field of the form holds no value yet."));
  expect(button("Execute").getAttribute("aria-disabled")).toBe("true");
  await put(page, "days", "5e0");
  expect(page.written).toContain('"days": 5e0');
  await page.run();
});

test("broken JSON stops the form, and mending starts it", async () => {
  const page = await compose();
  page.write('{"city": "x", ');
  await page.shows("The JSON is broken. The form goes on when it is mended.", () => page.form);
  expect(field("city", page.form).matches(":disabled")).toBe(true);
  page.write('{"city": "y"}');
  await until(() => expect(field("city", page.form).matches(":disabled")).toBe(false));
  expect(field("city", page.form).value).toBe("y");
});

test("a value that a field cannot hold is shown as JSON, and not changed by looking at it", async () => {
  const page = await compose(SCHEMA, { validate: () => invalid("/days", "/zz") });
  page.write('{"city": "a\\r\\nb\\u0007", "days": "three", "zz": 1}');
  await page.verdict("2 problems");
  expect(field("city", page.form).value).toBe('"a\\r\\nb\\u0007"');
  expect(field("days", page.form).value).toBe('"three"');
  page.routes = {};
  await pressed(page, "Remove zz");
  await until(() => expect(page.written).toBe('{"city": "a\\r\\nb\\u0007", "days": "three"}'));
  fill(field("days", page.form), "3");
  await until(() => expect(page.written).toBe('{"city": "a\\r\\nb\\u0007", "days": 3}'));
  await page.run();
});

test("an edit in the form is undone in the editor: there is one history", async () => {
  const page = await compose();
  await pressed(page, "Add place");
  await page.holds({ city: "", place: { zip: "" } });
  undo(page.editor);
  await page.holds({ city: "" });
  await until(() => button("Add place", page.form));
});

test("an example is filled in, and reset", async () => {
  const page = await compose();
  const group = named("[role=group]", "Fill example");
  button("All", group).click();
  await until(() => expect(Object.keys(JSON.parse(page.written))).toEqual(Object.keys(SCHEMA.properties)));
  await until(() => expect(field("name", page.form).value).toBe("example"));
  await page.run();
  button("Required", group).click();
  await page.holds({ city: "example" });
  button("Reset").click();
  await page.holds({ city: "" });
  await until(() => expect(button("Reset").disabled).toBe(true));
});

test("of ten thousand items a page is shown, and typing goes on", async () => {
  const page = await compose();
  page.write(JSON.stringify({ city: "x", tags: Array.from({ length: 10_000 }, (_, index) => `t${index}`) }));
  await until(() => button("Show more of 9,960", page.form));
  await put(page, "city", "y");
  await page.verdict("Valid");
  expect(page.form.querySelectorAll(".form-item")).toHaveLength(40);
  await pressed(page, "Show more of 9,960");
  await until(() => expect(page.form.querySelectorAll(".form-item")).toHaveLength(200));
});

test("markup in names, texts, choices and examples is shown and sent as text", async () => {
  const markup = "<img src=x onerror=alert(1)>";
  const page = await compose({
    type: "object",
    properties: {
      [markup]: { type: "string", description: markup, examples: [markup] },
      c: { oneOf: [{ const: markup, title: markup }, { const: "b" }] },
      ["__proto__"]: { type: "string" },
      "a b": { type: "string", description: "spaces" },
    },
  });
  await put(page, markup, markup);
  await put(page, "__proto__", "p");
  await put(page, "a b", "s");
  choose(field("c", page.form), markup);
  await page.run();
  expect(document.querySelector("img")).toBeNull();
  expect(page.bodies("call").map((each) => JSON.parse(each) as unknown)).toEqual([
    JSON.parse(`{"${markup}": "${markup}", "c": "${markup}", "__proto__": "p", "a b": "s"}`),
  ]);
});

test("every control of the form has a name", async () => {
  const page = await compose();
  button("All", named("[role=group]", "Fill example")).click();
  await until(() => field("name", page.form));
  const controls = [...page.form.querySelectorAll<HTMLInputElement>("input, textarea, select, button")];
  const seen = controls.filter((each) => !each.hidden && each.ariaHidden !== "true" && each.getAttribute("aria-hidden") !== "true");
  const isNamed = (each: HTMLInputElement): boolean =>
    Boolean(each.labels?.length || each.getAttribute("aria-label") || each.getAttribute("aria-labelledby") || each.textContent?.trim());
  expect(seen.length).toBeGreaterThan(30);
  expect(seen.filter((each) => !isNamed(each))).toEqual([]);
});
