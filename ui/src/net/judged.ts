import { parseJson } from "../json/parse";
import { textAt } from "../json/print";
import { type JsonObject, type JsonValue, isArray, isObject, readJson, toValue } from "../json/value";
import type { Answer } from "./api";
import { type Loaded, failedLoad } from "./read";

export type VerdictOf = "accepted" | "accepted-with-warnings" | "refused";

export interface Sums {
  readonly verdict: VerdictOf;
  readonly errors: number;
  readonly warnings: number;
  readonly advice: number;
}

export interface TargetHead {
  readonly name: string;
  readonly title: string;
  readonly groups: readonly string[];
  readonly lowers: boolean;
}

export interface FindingOf {
  readonly rule: string;
  readonly name: string;
  readonly target: string;
  readonly path: string;
  readonly message: string;
  readonly severity: "error" | "warning" | "advice";
  readonly fix: string;
  readonly effect: string;
  readonly sources: readonly string[];
  readonly read: string;
  readonly conflict: string;
}

export interface Matrix {
  readonly targets: readonly (TargetHead & { readonly refused: number; readonly warned: number; readonly tools: number })[];
  readonly findings: readonly FindingOf[];
  readonly tools: readonly { readonly name: string; readonly sums: ReadonlyMap<string, Sums> }[];
}

export interface ToolTargets {
  readonly targets: readonly (TargetHead & Sums)[];
}

export interface TargetOfTool {
  readonly target: TargetHead & Sums & { readonly summary: string };
  readonly findings: readonly FindingOf[];
  readonly unchecked: readonly (readonly [string, string])[];
  readonly losses: readonly Loss[];
  readonly refused: { readonly reason: string; readonly fix: string } | null;
  readonly lowered: { readonly tool: string; readonly wire: string } | null;
}

export interface Loss {
  readonly path: string;
  readonly what: string;
  readonly kind: string;
  readonly madeGoodBy: string;
}

const ACCEPTED: Sums = { verdict: "accepted", errors: 0, warnings: 0, advice: 0 };

export function readMatrix(answer: Answer): Loaded<Matrix> {
  const value = readJson(answer.body);
  if (answer.status !== 200 || !isObject(value)) return failedLoad(answer);
  return {
    value: {
      targets: objects(value["targets"]).map((each) => ({
        ...head(each),
        refused: count(each["refused"]),
        warned: count(each["warned"]),
        tools: count(each["tools"]),
      })),
      findings: objects(value["findings"]).map(finding),
      tools: objects(value["tools"]).map((each) => ({
        name: text(each["name"]),
        sums: new Map(
          Object.entries(isObject(each["targets"]) ? each["targets"] : {}).flatMap(([name, own]) =>
            isObject(own) ? [[name, sums(own)] as const] : [],
          ),
        ),
      })),
    },
  };
}

export function readToolTargets(answer: Answer): Loaded<ToolTargets> {
  const value = readJson(answer.body);
  if (answer.status !== 200 || !isObject(value)) return failedLoad(answer);
  return { value: { targets: objects(value["targets"]).map((each) => ({ ...head(each), ...sums(each) })) } };
}

export function readTargetOfTool(answer: Answer): Loaded<TargetOfTool> {
  const parsed = parseJson(answer.body);
  const value = parsed.ok ? toValue(parsed.root) : undefined;
  if (answer.status !== 200 || !parsed.ok || !isObject(value)) return failedLoad(answer);
  const target = isObject(value["target"]) ? value["target"] : {};
  const refused = value["refused"];
  const [tool, wire] = ["tool", "wire"].map((key) => textAt(answer.body, parsed.root, ["lowered", key]));
  return {
    value: {
      target: { ...head(target), ...sums(target), summary: text(target["summary"]) },
      findings: objects(value["findings"]).map(finding),
      unchecked: Object.entries(isObject(value["unchecked"]) ? value["unchecked"] : {}).map(
        ([id, reason]) => [id, text(reason)] as const,
      ),
      losses: objects(value["losses"]).map((each) => ({
        path: text(each["path"]),
        what: text(each["what"]),
        kind: text(each["kind"]),
        madeGoodBy: text(each["made_good_by"]),
      })),
      refused: isObject(refused) ? { reason: text(refused["reason"]), fix: text(refused["fix"]) } : null,
      lowered: tool && wire ? { tool, wire } : null,
    },
  };
}

/** What a target says of a tool that it does not name. */
export function sumsOf(all: ReadonlyMap<string, Sums>, target: string): Sums {
  return all.get(target) ?? ACCEPTED;
}

function head(value: JsonObject): TargetHead {
  const groups = value["groups"];
  return {
    name: text(value["name"]),
    title: text(value["title"]),
    groups: isArray(groups) ? groups.map(text) : [],
    lowers: value["lowers"] === true,
  };
}

function sums(value: JsonObject): Sums {
  const verdict = value["verdict"];
  return {
    verdict: verdict === "refused" || verdict === "accepted-with-warnings" ? verdict : "accepted",
    errors: count(value["errors"]),
    warnings: count(value["warnings"]),
    advice: count(value["advice"]),
  };
}

function finding(value: JsonObject): FindingOf {
  const severity = value["severity"];
  const sources = value["sources"];
  return {
    rule: text(value["rule"]),
    name: text(value["name"]),
    target: text(value["target"]),
    path: text(value["path"]),
    message: text(value["message"]),
    severity: severity === "error" || severity === "warning" ? severity : "advice",
    fix: text(value["fix"]),
    effect: text(value["effect"]),
    sources: isArray(sources) ? sources.map(text) : [],
    read: text(value["read"]),
    conflict: text(value["conflict"]),
  };
}

function objects(value: JsonValue | undefined): readonly JsonObject[] {
  return isArray(value) ? value.filter(isObject) : [];
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function count(value: JsonValue | undefined): number {
  return typeof value === "number" ? value : 0;
}

