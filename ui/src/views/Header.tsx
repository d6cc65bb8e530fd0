import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { type Config, safeLink } from "../config";
import { type Place, logHash } from "../route";
import { applyTheme, currentTheme, storeTheme } from "../state/theme";
import { MoonIcon, SunIcon } from "./icons";

export function Header({
  config,
  page,
  hasToken,
  forgetToken,
}: {
  readonly config: Config;
  readonly page: Place["page"];
  readonly hasToken: boolean;
  readonly forgetToken: () => void;
}): JSX.Element {
  return (
    <header class="top">
      <h1>
        <a class="brand" href="#/" dir="auto">
          {config.title}
        </a>
      </h1>
      <Project config={config} />
      <nav class="pages" aria-label="Pages">
        <PageLink href="#/" isCurrent={page === "list" || page === "tool"}>
          Tools
        </PageLink>
        <PageLink href="#/targets" isCurrent={page === "targets"}>
          Targets
        </PageLink>
        {config.hasLog && (
          <PageLink href={logHash()} isCurrent={page === "log"}>
            Log
          </PageLink>
        )}
      </nav>
      <span class="spacer" />
      {hasToken && (
        <button type="button" class="small-button" onClick={forgetToken}>
          Forget the token
        </button>
      )}
      <span class={`mode ${config.allowExecute ? "on" : "off"}`}>
        {config.allowExecute ? "Execution on" : "Execution off"}
      </span>
      {config.version && <span class="version">v{config.version}</span>}
      <ThemeButton />
    </header>
  );
}

function PageLink({
  href,
  isCurrent,
  children,
}: {
  readonly href: string;
  readonly isCurrent: boolean;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <a href={href} aria-current={isCurrent ? "page" : undefined}>
      {children}
    </a>
  );
}

function Project({ config }: { readonly config: Config }): JSX.Element | null {
  const text = config.projectName ?? config.projectUrl;
  if (text === null) return null;
  const href = safeLink(config.projectUrl);
  if (href === null) return <span class="project">{text}</span>;
  return (
    <a class="project" href={href} rel="noopener noreferrer">
      {text}
    </a>
  );
}

function ThemeButton(): JSX.Element {
  const [theme, setTheme] = useState(currentTheme);
  const other = theme === "dark" ? "light" : "dark";
  const toggle = (): void => {
    applyTheme(other);
    storeTheme(other);
    setTheme(other);
  };
  return (
    <button type="button" class="icon-button" aria-label={`Use ${other} colours`} onClick={toggle}>
      {theme === "dark" ? <SunIcon /> : <MoonIcon />}
    </button>
  );
}
