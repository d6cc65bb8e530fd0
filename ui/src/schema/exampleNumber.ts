import { ExactNumber, type JsonObject, type JsonValue } from "../json/value";
import { boundOf } from "./keywords";

/** A number inside the bounds, a small one where there are none. */
export function exampleNumber(schema: JsonObject, isWhole: boolean, variant: number): JsonValue {
  const step = boundOf(schema, "multipleOf") ?? (isWhole ? 1 : undefined);
  const { low, high } = boundsOf(schema, step ?? spread(schema));
  const exact = exactBound(schema);
  if (exact !== undefined && variant === 0) return exact;
  // Halves where any number will do: a branch for numbers must not look like one for integers.
  const unit = step ?? 0.5;
  const near = nearest(low, high);
  const first = step === undefined ? near : onGrid(near, step, low, high);
  const value = first + variant * unit;
  // Downwards where upwards leads out of the bounds.
  const chosen = value <= high ? value : first - variant * unit;
  return tidy(chosen);
}

interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Both bounds as inclusive ones; an exclusive one moves by a step. */
function boundsOf(schema: JsonObject, step: number): Interval {
  const inner = (bound: string, exclusive: string, sign: 1 | -1): number => {
    const own = boundOf(schema, bound);
    const beyond = schema[exclusive] === true ? own : boundOf(schema, exclusive);
    const moved = beyond === undefined ? undefined : beyond + sign * step;
    const candidates = [...(own === undefined ? [] : [own]), ...(moved === undefined ? [] : [moved])];
    return sign === 1 ? Math.max(-Infinity, ...candidates) : Math.min(Infinity, ...candidates);
  };
  return { low: inner("minimum", "exclusiveMinimum", 1), high: inner("maximum", "exclusiveMaximum", -1) };
}

/** How far inside an exclusive bound a broken number may lie. */
function spread(schema: JsonObject): number {
  const [low, high] = [
    boundOf(schema, "exclusiveMinimum") ?? boundOf(schema, "minimum"),
    boundOf(schema, "exclusiveMaximum") ?? boundOf(schema, "maximum"),
  ];
  return low === undefined || high === undefined ? 1 : Math.min(1, (high - low) / 2);
}

/** One, or the bound that is nearest to it. */
function nearest(low: number, high: number): number {
  if (low > 1) return low;
  return high < 1 ? high : 1;
}

function onGrid(value: number, step: number, low: number, high: number): number {
  const above = Math.ceil(value / step) * step;
  if (above <= high) return above;
  const below = Math.floor(value / step) * step;
  return below >= low ? below : above;
}

/** Without the dust of binary fractions: 0.1 + 0.2 would read 0.30000000000000004. */
function tidy(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(12));
}

/** A lower bound that no double holds is taken as it is written. */
function exactBound(schema: JsonObject): ExactNumber | undefined {
  const low = schema["minimum"];
  return low instanceof ExactNumber && Number(low.raw) > 1 && schema["multipleOf"] === undefined ? low : undefined;
}
