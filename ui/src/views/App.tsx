import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Config } from "../config";
import { visibleName } from "../names";
import type { Api } from "../net/api";
import { readList } from "../net/read";
import { toolOfHash } from "../route";
import { useHash } from "../state/useHash";
import { useLoad } from "../state/useLoad";
import { Detail } from "./Detail";
import { Header } from "./Header";
import { ToolList } from "./ToolList";
import { BackIcon } from "./icons";

export function App({ api, config }: { readonly api: Api; readonly config: Config }): JSX.Element {
  const name = toolOfHash(useHash());
  const list = useLoad(api.list, readList);
  const [token, setToken] = useState<string | null>(null);
  const drafts = useMemo(() => new Map<string, string>(), []);
  useEffect(() => {
    document.title = name === null ? config.title : `${visibleName(name)} · ${config.title}`;
  }, [name, config]);
  return (
    <div class={`app ${name === null ? "at-list" : "at-tool"}`}>
      <a class="skip" href="#main" onClick={focusMain}>
        Skip to the tool
      </a>
      <Header config={config} hasToken={token !== null} forgetToken={() => setToken(null)} />
      <ToolList state={list} current={name} />
      <main id="main" tabIndex={-1}>
        {name === null ? (
          <Welcome count={list.phase === "ready" ? list.value.length : null} />
        ) : (
          <>
            <a class="back" href="#/">
              <BackIcon /> All tools
            </a>
            <Detail
              key={name}
              api={api}
              name={name}
              allowExecute={config.allowExecute}
              tokenBox={{ token, set: setToken }}
              drafts={drafts}
            />
          </>
        )}
      </main>
    </div>
  );
}

/** By hand: following "#main" would change the address, which names the tool. */
function focusMain(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

function Welcome({ count }: { readonly count: number | null }): JSX.Element {
  return (
    <div class="welcome">
      <h2>{count === 0 ? "No tools to show" : "Choose a tool"}</h2>
      <p>See what it promises, check arguments against its schema while you type, and try it.</p>
      <dl class="keys">
        <dt>
          <kbd>/</kbd>
        </dt>
        <dd>filter the tools</dd>
        <dt>
          <kbd>↓</kbd> <kbd>↑</kbd> <kbd>Enter</kbd>
        </dt>
        <dd>choose one</dd>
        <dt>
          <kbd>Ctrl</kbd> <kbd>Enter</kbd>
        </dt>
        <dd>execute, from the editor</dd>
        <dt>
          <kbd>F8</kbd>
        </dt>
        <dd>next problem in the editor</dd>
      </dl>
    </div>
  );
}
