// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Page, button, choose, field, fill, one, press, until } from "./page";

const animal = (title: string, member: string) => ({
  type: "object",
  title,
  properties: { [member]: { type: "string" }, name: { type: "string" } },
  required: [member],
});
const ANIMAL = { oneOf: [animal("Cat", "meow"), animal("Dog", "bark")] };
const SCHEMA = {
  type: "object",
  properties: {
    pet: ANIMAL,
    list: { type: "array", items: ANIMAL },
    nums: { type: "array", items: { type: "number" } },
    env: { type: "object", additionalProperties: { type: "string" } },
    when: { type: "string", format: "date-time" },
  },
};

let page: Page;

beforeEach(async () => {
  page = new Page([{ name: "tool", inputSchema: SCHEMA }], { hash: "#/tools/tool" });
  await until(() => page.form);
});

afterEach(() => void vi.unstubAllEnvs());

const kind = (name: string): Promise<HTMLInputElement> => until(() => field(`Kind of ${name}`, page.form) as HTMLInputElement);
const box = (name: string): Promise<HTMLInputElement> => until(() => field(name, page.form) as HTMLInputElement);
const click = async (name: string): Promise<void> => (await until(() => button(name, page.form))).click();
const numbers = (): HTMLInputElement[] => [...page.form.querySelectorAll<HTMLInputElement>(".form-items input")];
const isFocused = (name: string): Promise<void> => until(() => expect(document.activeElement?.getAttribute("aria-label")).toBe(name));

async function isKind(name: string, value: string): Promise<void> {
  await until(() => expect(field(`Kind of ${name}`, page.form).value).toBe(value));
}

test("another kind takes over what both know, and what was written for a kind comes back with it", async () => {
  page.write('{"pet": {"meow": "tom", "name": "Tom"}}');
  await isKind("pet", "0");
  choose(await kind("pet"), "Dog");
  await page.holds({ pet: { bark: "", name: "Tom" } });
  fill(await box("bark"), "woof");
  expect(() => field("meow", page.form)).toThrow();
  await page.holds({ pet: { bark: "woof", name: "Tom" } });
  choose(await kind("pet"), "Cat");
  await page.holds({ pet: { meow: "tom", name: "Tom" } });
  // What is typed in the JSON decides, too.
  page.write('{"pet": {"bark": "rex"}}');
  await isKind("pet", "1");
});

test("an item keeps its kind where it moves", async () => {
  await click("Add item to list");
  choose(await kind("1"), "Dog");
  fill(await box("bark"), "rex");
  await page.holds({ list: [{ bark: "rex" }] });
  await click("Add item to list");
  fill(await box("meow"), "tom");
  await page.holds({ list: [{ bark: "rex" }, { meow: "tom" }] });
  await click("Move item 2 of list up");
  await page.holds({ list: [{ meow: "tom" }, { bark: "rex" }] });
  await isKind("1", "0");
  await isKind("2", "1");
  page.write('{"list": [{"bark": "rex"}, {"meow": "tom"}]}');
  await isKind("1", "1");
  await isKind("2", "0");
  await click("Remove 1");
  await page.holds({ list: [{ meow: "tom" }] });
  await isKind("1", "0");
});

test("what is half typed goes with its item, also among equals", async () => {
  page.write('{"nums": [5, 5, 7]}');
  await until(() => expect(numbers()).toHaveLength(3));
  fill(numbers()[0] as HTMLInputElement, "5e");
  await page.shows("no value yet", () => one("#run-reason"));
  await click("Move item 1 of nums down");
  await until(() => expect(numbers().map(({ value }) => value)).toEqual(["5", "5e", "7"]));
  await click("Remove 2");
  await until(() => expect(numbers().map(({ value }) => value)).toEqual(["5", "7"]));
  await page.lacks("no value yet", () => one("#run-reason"));
});

test("the focus goes with what is moved, and to the neighbour of what is removed", async () => {
  page.write('{"nums": [1, 2, 3]}');
  (await until(() => button("Move item 1 of nums down"))).focus();
  press("Enter");
  await isFocused("Move item 2 of nums down");
  press("Enter");
  await isFocused("Move item 3 of nums up");
  await page.holds({ nums: [2, 3, 1] });
  button("Remove 2").focus();
  press("Enter");
  await page.holds({ nums: [2, 1] });
  await isFocused("Remove 2");
  press("Enter");
  await page.holds({ nums: [2] });
  await isFocused("Remove 1");
  press("Enter");
  await isFocused("Add item to nums");
  await page.holds({ nums: [] });
});

test("a renamed member keeps the focus, with Enter and where the Tab key goes on to its value", async () => {
  page.write('{"env": {"A": "1", "B": "2"}}');
  const name = await box("Name of A");
  fill(name, "AX");
  await until(() => expect(name.value).toBe("AX"));
  // What the Tab key does.
  (await box("A")).focus();
  await until(() => expect(document.activeElement).toBe(field("AX", page.form)));
  fill(document.activeElement as HTMLInputElement, "19");
  await page.holds({ env: { AX: "19", B: "2" } });
  fill(await box("Name of B"), "BY");
  await until(() => expect(field("Name of B").value).toBe("BY"));
  press("Enter");
  await isFocused("Name of BY");
  await page.holds({ env: { AX: "19", BY: "2" } });
  await click("Remove AX");
  await isFocused("Remove BY");
});

test("a moment is picked in the offset that is written, not in that of the computer", async () => {
  vi.stubEnv("TZ", "Europe/Berlin");
  const picker = (): HTMLInputElement => one<HTMLInputElement>("input[type=datetime-local]");
  fill(picker(), "2026-02-01T14:30:00");
  await page.holds({ when: "2026-02-01T14:30:00+01:00" });
  page.write('{"when": "2026-01-31T14:30:15.250-05:00"}');
  await until(() => expect(field("when", page.form).value).toContain("15.250"));
  await click("Pick when");
  // jsdom writes milliseconds, which browsers leave out where they are 0.
  expect(picker().value).toBe("2026-01-31T14:30:15.000");
  picker().type = "text";
  fill(one<HTMLInputElement>(".form-picker input"), "2026-02-02T14:30:15");
  await page.holds({ when: "2026-02-02T14:30:15.250-05:00" });
});

test("what is half typed is not folded away, by either switch", async () => {
  const held = "Finish what is typed here first";
  page.write('{"nums": [5]}');
  await until(() => expect(numbers()).toHaveLength(1));
  fill(numbers()[0] as HTMLInputElement, "5e");
  await page.shows("no value yet", () => one("#run-reason"));
  await click("nums as JSON");
  await page.shows(held);
  await click("Parts of nums");
  expect(numbers()[0]?.value).toBe("5e");
  fill(numbers()[0] as HTMLInputElement, "6");
  await page.lacks(held);
  await page.lacks("no value yet", () => one("#run-reason"));
  await click("nums as JSON");
  fill(await box("nums"), "[6, ");
  await page.shows("no value yet", () => one("#run-reason"));
  await click("nums as JSON");
  await page.shows(held);
  expect(field("nums", page.form).value).toBe("[6, ");
  fill(field("nums", page.form), "[6, 7]");
  await page.lacks("no value yet", () => one("#run-reason"));
  await click("nums as JSON");
  await until(() => expect(numbers()).toHaveLength(2));
});
