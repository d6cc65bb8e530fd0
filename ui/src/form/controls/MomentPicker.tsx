import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { CalendarIcon } from "../../views/icons";

export type Moment = "date" | "time" | "date-time";

const FIELDS = { date: "date", time: "time", "date-time": "datetime-local" } as const;

interface Props {
  readonly kind: Moment;
  readonly label: string;
  readonly value: string;
  readonly onPick: (text: string) => void;
}

/** The browser's own picker beside a text field, which stays what is sent. */
export function MomentPicker({ kind, label, value, onPick }: Props): JSX.Element {
  const field = useRef<HTMLInputElement>(null);
  const open = (): void => {
    if (!field.current) return;
    field.current.value = localPart(kind, value);
    field.current.showPicker();
  };
  return (
    <span class="form-picker">
      <button type="button" class="form-action icon" aria-label={`Pick ${label}`} title="Pick" onClick={open}>
        <CalendarIcon />
      </button>
      <input
        ref={field}
        type={FIELDS[kind]}
        step={kind === "date" ? undefined : 1}
        tabIndex={-1}
        aria-hidden="true"
        onChange={(event) => {
          const picked = event.currentTarget.value;
          if (picked !== "") onPick(withOffset(kind, picked, -offsetMinutes(kind, picked)));
        }}
      />
    </span>
  );
}

function localPart(kind: Moment, value: string): string {
  if (kind === "time") return /^\d\d:\d\d(?::\d\d)?/.exec(value)?.[0] ?? "";
  const [day, , time] = /^(\d{4}-\d\d-\d\d)(T(\d\d:\d\d(?::\d\d)?))?/i.exec(value)?.slice(1) ?? [];
  if (day === undefined) return "";
  return kind === "date" ? day : `${day}T${time ?? "00:00"}`;
}

function offsetMinutes(kind: Moment, picked: string): number {
  if (kind === "date") return 0;
  return (kind === "time" ? new Date() : new Date(picked)).getTimezoneOffset();
}

/** RFC 3339 wants seconds and an offset, which the browser's fields do not give. */
export function withOffset(kind: Moment, picked: string, minutes: number): string {
  if (kind === "date") return picked;
  const full = /:\d\d:\d\d/.test(picked) ? picked : `${picked}:00`;
  if (minutes === 0) return `${full}Z`;
  const two = (number: number): string => String(number).padStart(2, "0");
  const size = Math.abs(minutes);
  return `${full}${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}
