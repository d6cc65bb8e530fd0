import { Fragment } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Config } from "../config";
import { createDrafts } from "../drafts";
import { newRun } from "../history";
import { visibleName } from "../names";
import type { Api } from "../net/api";
import { readList } from "../net/read";
import { type Place, placeOf } from "../route";
import { storageOrNull } from "../state/storage";
import { useCalls } from "../state/useCalls";
import { useHash } from "../state/useHash";
import { useHistory } from "../state/useHistory";
import { useLoad } from "../state/useLoad";
import { Detail } from "./Detail";
import { Header } from "./Header";
import { LogPage } from "./LogPage";
import { TargetsPage } from "./TargetsPage";
import { type Finder, ToolList } from "./ToolList";
import { BackIcon } from "./icons";

export function App({ api, config }: { readonly api: Api; readonly config: Config }) {
  const hash = useHash();
  const place = useMemo(() => placeOf(hash), [hash]);
  const name = place.page === "tool" ? place.name : null;
  const [round, setRound] = useState(0);
  const list = useLoad(api.list, readList);
  const [finder, setFinder] = useState<Finder>({ query: "", closed: new Set() });
  const [token, setToken] = useState<string | null>(null);
  const drafts = useMemo(() => createDrafts(storageOrNull("sessionStorage"), `toolgauge-drafts ${api.base}`), [api]);
  const shownRuns = useMemo(() => new Map<string, string>(), []);
  const history = useHistory(api.base);
  const calls = useCalls(api, ({ tool, body, token: sent }, done) => {
    if (done.outcome.kind !== "unauthorized") history.add(newRun(tool, body, done, sent, Date.now()));
  });
  const changeToken = (next: string | null): void => {
    drafts.hide(next);
    setToken(next);
  };
  const tokenBox = { token, set: changeToken };
  const reload = (): void => {
    list.reload();
    setRound(round + 1);
  };
  const isWide = place.page === "targets" || place.page === "log";
  useEffect(() => {
    document.title = titleOf(place, config.title);
  }, [place, config]);
  return (
    <div class={`app at-${place.page} ${isWide ? "wide" : ""}`}>
      <a class="skip" href="#main" onClick={focusMain}>Skip to the tool</a>
      <Header config={config} page={place.page} hasToken={token !== null} forgetToken={() => changeToken(null)} />
      {!isWide && <ToolList state={{ ...list, reload }} current={name} finder={finder} onFinder={setFinder} />}
      <main id="main" tabIndex={-1}>
        {place.page === "list" && <Welcome count={list.phase === "ready" ? list.value.length : null} />}
        {place.page === "targets" && <TargetsPage api={api} />}
        {place.page === "log" && <LogPage api={api} tokenBox={tokenBox} runs={history.runs} trace={place.trace} />}
        {place.page === "tool" && (
          <>
            <a class="back" href="#/"><BackIcon /> All tools</a>
            <Detail key={place.name} {...{ api, place, config, tokenBox, drafts, shownRuns, history, calls, round }} />
          </>
        )}
      </main>
    </div>
  );
}

function titleOf(place: Place, title: string): string {
  const own = { list: null, tool: null, targets: "Targets", log: "Log" }[place.page];
  const shown = place.page === "tool" ? visibleName(place.name) : own;
  return shown === null ? title : `${shown} · ${title}`;
}

/** By hand: following "#main" would change the address, which names the tool. */
function focusMain(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

const KEYS: readonly (readonly [keys: readonly string[], words: string])[] = [
  [["/"], "filter the tools"],
  [["↓", "↑", "Enter"], "choose one"],
  [["←", "→"], "close and open a group"],
  [["Ctrl", "Enter"], "execute, from the editor"],
  [["F8"], "next problem in the editor"],
];

function Welcome({ count }: { readonly count: number | null }) {
  return (
    <div class="welcome">
      <h2>{count === 0 ? "No tools to show" : "Choose a tool"}</h2>
      <p>See what it promises, check arguments against its schema while you type, and try it.</p>
      <dl class="keys">
        {KEYS.map(([keys, words]) => (
          <Fragment key={words}>
            <dt>{keys.flatMap((each) => [" ", <kbd>{each}</kbd>]).slice(1)}</dt>
            <dd>{words}</dd>
          </Fragment>
        ))}
      </dl>
    </div>
  );
}
