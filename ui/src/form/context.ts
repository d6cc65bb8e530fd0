import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Path } from "../json/edit";
import type { JsonNode } from "../json/parse";
import { type JsonValue, toValue } from "../json/value";
import { once } from "../once";
import type { FieldProblems } from "./problems";

/** What every part of the form works with. */
export interface Form {
  /** The whole input schema: references start from it. */
  readonly schema: JsonValue;
  /** The text that is shown; every node's place is a place in it. */
  readonly text: string;
  readonly problems: FieldProblems;
  /** Put a value, given as JSON text, at a place. */
  set(path: Path, value: string, order?: readonly string[]): void;
  /** Leave a place out. */
  remove(path: Path): void;
  rename(path: Path, name: string): void;
  /** Let an item and the one behind it change places. */
  swap(path: Path, index: number): void;
  /** Tell that a control holds something that is no value yet; `null` when it does again. */
  noteDraft(id: string, draft: Draft | null): void;
  /** Whether something at a place, or inside it, is typed and no value yet. */
  isUnfinished(path: Path): boolean;
}

/** What is typed but cannot be a value yet. */
export interface Draft {
  readonly path: Path;
  readonly message: string;
}

export const FormContext = createContext<Form | null>(null);

export function useForm(): Form {
  const form = useContext(FormContext);
  if (!form) throw new Error("a part of the form is shown outside of it");
  return form;
}

/** The plain value of a node, made once. */
export const valueOf = once((node: JsonNode): JsonValue => toValue(node));
