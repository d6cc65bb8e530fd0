import { useRef } from "preact/hooks";
import { IconButton } from "../../views/buttons";
import { CalendarIcon } from "../../views/icons";

export type Moment = "date" | "time" | "date-time";

const FIELDS = { date: "date", time: "time", "date-time": "datetime-local" } as const;

/** The browser's own picker beside a text field, which stays what is sent. */
export function MomentPicker({ kind, label, value, onPick }: {
  readonly kind: Moment;
  readonly label: string;
  readonly value: string;
  readonly onPick: (text: string) => void;
}) {
  const field = useRef<HTMLInputElement>(null);
  const open = (): void => {
    if (!field.current) return;
    field.current.value = localPart(kind, value);
    field.current.showPicker();
  };
  return (
    <span class="form-picker">
      <IconButton label={`Pick ${label}`} title="Pick" onClick={open}><CalendarIcon /></IconButton>
      <input
        ref={field}
        type={FIELDS[kind]}
        step={kind === "date" ? undefined : 1}
        tabIndex={-1}
        aria-hidden="true"
        onChange={(event) => {
          const picked = event.currentTarget.value;
          if (picked !== "") onPick(pickedText(kind, value, picked, -offsetMinutes(kind, picked)));
        }}
      />
    </span>
  );
}

const DAY = /^\d{4}-\d\d-\d\d/;
const TIME = /(?:^|[T ])(\d\d:\d\d(?::\d\d)?)(\.\d+)?(Z|[+-]\d\d:\d\d)?$/i;

function localPart(kind: Moment, value: string): string {
  const [day, time] = [DAY.exec(value)?.[0], TIME.exec(value)?.[1]];
  if (kind === "time") return time ?? "";
  if (day === undefined) return "";
  return kind === "date" ? day : `${day}T${time ?? "00:00"}`;
}

/**
 * What was picked, as RFC 3339; where a moment is written already, in its
 * offset and with its fraction of a second, which the picker does not show.
 *
 * @param minutes - The offset of this computer.
 */
export function pickedText(kind: Moment, before: string, picked: string, minutes: number): string {
  if (kind === "date") return picked;
  const [, , fraction = "", offset = offsetText(minutes)] = TIME.exec(before) ?? [];
  return withSeconds(picked) + fraction + offset;
}

function offsetMinutes(kind: Moment, picked: string): number {
  if (kind === "date") return 0;
  return (kind === "time" ? new Date() : new Date(picked)).getTimezoneOffset();
}

function offsetText(minutes: number): string {
  if (minutes === 0) return "Z";
  const two = (number: number): string => String(number).padStart(2, "0");
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** RFC 3339 wants them; the browser's fields leave them out where they are 0. */
function withSeconds(picked: string): string {
  return /:\d\d:\d\d/.test(picked) ? picked : `${picked}:00`;
}
