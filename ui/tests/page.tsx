import { EditorView } from "@codemirror/view";
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, vi } from "vitest";
import { readConfig } from "../src/config";
import { createApi } from "../src/net/api";
import { App } from "../src/views/App";

/** What the stand-in for the server answers to one request. */
export interface Reply {
  readonly status?: number;
  /** Sent as JSON; a text is sent as it is. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export interface Sent {
  readonly path: string;
  readonly body: string;
  readonly headers: Headers;
}

export interface ToolOf {
  readonly name: string;
  readonly [member: string]: unknown;
}

/** An answer to a path; what throws is a server that cannot be reached. */
export type Route = (sent: Sent) => Reply | Promise<Reply>;

const ISSUE = { message: "is wrong", keyword: "type" };

/** An answer of `/validate` with an issue at each of these pointers. */
export function invalid(...issues: readonly (string | object)[]): Reply {
  const errors = issues.map((each) => (typeof each === "string" ? { ...ISSUE, path: each } : { ...ISSUE, ...each }));
  return { status: 400, body: { valid: false, errors } };
}

/** An answer of `/call` with one text. */
export function answered(text: string, more: object = {}): Reply {
  return { body: { content: [{ type: "text", text }], isError: false, ...more } };
}

/** The whole page over a stand-in for its server, in jsdom. */
export class Page {
  /** Every request, oldest first. */
  readonly sent: Sent[] = [];
  routes: Record<string, Route>;

  constructor(
    tools: readonly ToolOf[],
    { hash = "", routes = {}, config = {} }: { hash?: string; routes?: Record<string, Route>; config?: object } = {},
  ) {
    this.routes = { ...routes };
    const detail = (name: string): Reply => {
      const found = tools.find((each) => each.name === name);
      return found ? { body: { description: "", inputSchema: {}, ...found } } : { status: 404, body: { error: `Tool not found: ${name}` } };
    };
    const usual: Record<string, Route> = {
      tools: () => ({ body: tools.map((each) => ({ description: "", ...each })) }),
      validate: () => ({ body: { valid: true } }),
      call: ({ body }) => answered(`took ${body}`),
      formats: () => ({ body: { formats: [] } }),
    };
    const answer = async (sent: Sent): Promise<Reply> => {
      const [, name, action, more] = /^tools\/([^/]*)(?:\/([^/]*))?(?:\/(.*))?/.exec(sent.path) ?? [];
      // Every tool against every target, one tool against all of them, one against one.
      const judged = more === undefined ? "targets" : "target";
      const own = sent.path === "targets" ? "matrix" : sent.path.replace(/\?.*/, "");
      const key = action === "targets" ? judged : (action ?? (name === undefined ? own : "detail"));
      const route = this.routes[key] ?? usual[key];
      if (route) return route(sent);
      return key === "detail" ? detail(decodeURIComponent(name ?? "")) : { status: 404, body: { error: "Not found" } };
    };
    const send = (async (url: string, init: RequestInit) => {
      const sent = { path: url.slice(BASE.length), body: String(init.body ?? ""), headers: new Headers(init.headers) };
      this.sent.push(sent);
      const isAborted = new Promise<never>((_, reject) => init.signal?.addEventListener("abort", () => reject(new DOMException("taken back", "AbortError"))));
      const { status = 200, body, headers = {} } = await Promise.race([answer(sent), isAborted]);
      return new Response(typeof body === "string" ? body : JSON.stringify(body ?? {}), { status, headers });
    }) as typeof fetch;
    location.hash = hash;
    const settings = readConfig(JSON.stringify({ title: "Weather desk", allowExecute: true, ...config }));
    render(<App api={createApi(BASE, send)} config={settings} />, document.body);
  }

  get text(): string {
    return document.body.textContent ?? "";
  }

  get editor(): EditorView {
    const root = one<HTMLElement>(".editor").shadowRoot?.querySelector<HTMLElement>(".cm-editor");
    const view = root && EditorView.findFromDOM(root);
    if (!view) throw new Error("there is no editor");
    return view;
  }

  get written(): string {
    return this.editor.state.doc.toString();
  }

  get result(): HTMLElement {
    return named("section", "Result");
  }

  get form(): HTMLElement {
    return named("form", "Arguments as a form");
  }

  /** Replace the arguments. */
  write(text: string): void {
    this.editor.dispatch({ changes: { from: 0, to: this.editor.state.doc.length, insert: text } });
  }

  /** Wait until the line about the arguments' validity is this. */
  async verdict(text: string): Promise<void> {
    await until(() => same(text, one(".validity [role=status]").textContent));
  }

  /** Wait until the arguments are this value, with its members in this order. */
  async holds(value: unknown): Promise<void> {
    await until(() => same(JSON.stringify(value), JSON.stringify(JSON.parse(this.written))));
  }

  /** Execute what is composed, and wait for an answer with this in it. */
  async run(text = "Success"): Promise<void> {
    await until(() => same("false", button("Execute").getAttribute("aria-disabled")));
    button("Execute").click();
    await this.shows(text, () => this.result);
  }

  async shows(text: string | RegExp, where: () => Element = () => document.body): Promise<void> {
    await until(() => {
      const shown = where().textContent ?? "";
      if (typeof text === "string" ? !shown.includes(text) : !text.test(shown)) throw new Error(`no ${text} in: ${shown.slice(0, 3_000)}`);
    });
  }

  async lacks(text: string, where: () => Element = () => document.body): Promise<void> {
    await until(() => same(false, where().textContent?.includes(text)));
  }

  /** The bodies of the requests to one route. */
  bodies(route: string): readonly string[] {
    return this.sent.filter(({ path }) => path.endsWith(`/${route}`)).map(({ body }) => body);
  }

  /** Begin anew, as a reload does: only what is stored is left. */
  close(): void {
    render(null, document.body);
  }
}

const BASE = "http://localhost:3000/";

function same(expected: unknown, found: unknown): void {
  if (expected !== found) throw new Error(`expected ${String(expected)}, found ${String(found)}`);
}

/** Ask again until it no longer throws. */
export function until<T>(ask: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(ask, { timeout: 8_000, interval: 10 });
}

/** The only element that a selector finds. */
export function one<E extends Element = HTMLElement>(selector: string, within: ParentNode = document): E {
  const found = within.querySelectorAll<E>(selector);
  if (found.length !== 1 || !found[0]) throw new Error(`${found.length} elements are ${selector}`);
  return found[0];
}

/** The first element with exactly this accessible name. */
export function named<E extends HTMLElement = HTMLElement>(selector: string, name: string, within: ParentNode = document): E {
  const all = [...within.querySelectorAll<E>(selector)];
  const found = all.find((each) => nameOf(each) === name && !each.closest("[hidden]"));
  if (!found) throw new Error(`no ${selector} is named ${name}: ${all.map(nameOf).join(", ").slice(0, 2_000)}`);
  return found;
}

/** The accessible name, by the rules that this page needs: the label of its author, its labels, its own text. */
export function nameOf(element: Element): string {
  const ids = element.getAttribute("aria-labelledby")?.split(" ").map((id) => document.getElementById(id));
  const labels = (): readonly Element[] => [...((element as Partial<HTMLInputElement>).labels ?? [])];
  const named = ids ?? (labels().length > 0 ? labels() : [element]);
  const text = element.getAttribute("aria-label") ?? named.map((each) => each?.textContent ?? "").join(" ");
  return text.replace(/\s+/g, " ").trim();
}

export function button(name: string, within?: ParentNode): HTMLButtonElement {
  return named<HTMLButtonElement>("button", name, within);
}

export function link(name: string, within?: ParentNode): HTMLAnchorElement {
  return named<HTMLAnchorElement>("a", name, within);
}

type Input = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

export function field(name: string, within?: ParentNode): Input {
  return named<Input>("input:not([type=file]), textarea, select", name, within);
}

/** Put a value into a field, as typing does. */
export function fill(control: Input, value: string): void {
  if (control.matches("fieldset:disabled *, :disabled")) throw new Error("the field is disabled");
  control.focus();
  control.value = value;
  for (const type of ["input", "change"]) control.dispatchEvent(new Event(type, { bubbles: true }));
}

/** Choose an option by its words. */
export function choose(control: Input, label: string): void {
  const option = [...control.querySelectorAll("option")].find((each) => each.textContent === label);
  if (!option) throw new Error(`no option is ${label}: ${optionsOf(control).join(", ")}`);
  fill(control, option.value);
}

export function optionsOf(control: Input): readonly string[] {
  return [...control.querySelectorAll("option")].map((each) => each.textContent ?? "");
}

export function chosenOf(control: Input): string | undefined {
  return control.querySelector<HTMLOptionElement>("option:checked")?.textContent ?? undefined;
}

/** Press a key where the focus is. A button's own answer to Enter is the browser's, so it is made here. */
export function press(key: string, more: KeyboardEventInit = {}, target: Element | null = document.activeElement): void {
  const event = new KeyboardEvent("keydown", { key, code: key, bubbles: true, cancelable: true, composed: true, ...more });
  if (target?.dispatchEvent(event) && key === "Enter" && target instanceof HTMLElement && target.matches("button, a")) target.click();
}

// What jsdom has no layout for.
const ROOM = 600;
Object.defineProperty(Element.prototype, "clientHeight", {
  get(this: Element) {
    return this.matches(".tools, .tree-box, .log-box, .matrix-box") ? ROOM : 0;
  },
});
Range.prototype.getClientRects = () => [] as unknown as DOMRectList;
Range.prototype.getBoundingClientRect = () => new DOMRect();
Element.prototype.scrollIntoView = () => undefined;
window.matchMedia = () => Object.assign(new EventTarget(), { matches: false }) as MediaQueryList;
HTMLInputElement.prototype.showPicker = () => undefined;

afterEach(async () => {
  // Effects that wait for a frame run now, not when the document is gone.
  await act(() => render(null, document.body));
  localStorage.clear();
  sessionStorage.clear();
  location.hash = "";
});
