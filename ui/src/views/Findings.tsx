import { safeLink } from "../config";
import { visibleText } from "../names";
import type { FindingOf } from "../net/judged";
import { grouped } from "../once";

/** Limits at once, and places of one limit. */
const MAX_LIMITS = 60;
const MAX_PLACES = 40;

/** What a target objects to: each limit once, with who says so, and the places that break it. */
export function Findings({ findings, withTarget = false }: {
  readonly findings: readonly FindingOf[];
  readonly withTarget?: boolean;
}) {
  const limits = byLimit(findings);
  return (
    <ul class="findings">
      {limits.slice(0, MAX_LIMITS).map((places, index) => (
        <Limit key={index} places={places} withTarget={withTarget} />
      ))}
      {limits.length > MAX_LIMITS && <li class="hint">And {limits.length - MAX_LIMITS} limits more.</li>}
    </ul>
  );
}

/** Findings that differ in their place and words alone stand together. */
function byLimit(findings: readonly FindingOf[]): readonly (readonly FindingOf[])[] {
  const keyOf = (each: FindingOf): string =>
    JSON.stringify([each.rule, each.target, each.severity, each.effect, each.sources, each.conflict]);
  return [...grouped(findings, keyOf).values()];
}

function Limit({ places, withTarget }: { readonly places: readonly FindingOf[]; readonly withTarget: boolean }) {
  const [first] = places;
  if (!first) return null;
  return (
    <li class={`finding ${first.severity}`}>
      <p class="finding-head">
        <span class={`badge ${first.severity}`}>{first.severity}</span>
        <span class="finding-rule">{first.rule} {first.name}</span>
        {withTarget && <span class="badge">{first.target}</span>}
        {first.effect && <span class="finding-note">{first.effect}</span>}
      </p>
      <ul class="finding-places">
        {places.slice(0, MAX_PLACES).map((place, index) => (
          <li key={index}>
            {place.path !== "" && <code class="finding-path">{visibleText(place.path)}</code>}
            <span class="finding-text" dir="auto">{visibleText(place.message)}</span>
            {place.fix && <span class="finding-fix">To mend it: {visibleText(place.fix)}.</span>}
          </li>
        ))}
        {places.length > MAX_PLACES && <li class="finding-note">And {places.length - MAX_PLACES} places more.</li>}
      </ul>
      {first.conflict && <p class="finding-source">Sources disagree: {first.conflict}</p>}
      {first.sources.length > 0 && (
        <p class="finding-source">
          Source:{" "}
          {first.sources.map((source, at) => (
            <span key={at}>
              {at > 0 && ", "}
              <Source text={source} />
            </span>
          ))}
          {first.read && `, read ${first.read}`}
        </p>
      )}
    </li>
  );
}

/** An address, and what may follow it: a commit, a page, a date. */
function Source({ text }: { readonly text: string }) {
  const [address = "", ...rest] = text.split(" ");
  const href = /^https?:/.test(address) ? safeLink(address) : null;
  if (href === null) return <>{text}</>;
  return (
    <>
      <a href={href} target="_blank" rel="noopener noreferrer">{address.replace(/^https?:\/\/(www\.)?/, "")}</a>
      {rest.length > 0 && ` ${rest.join(" ")}`}
    </>
  );
}
