import { useState } from "preact/hooks";
import { type Config, safeLink } from "../config";
import { type Place, logHash } from "../route";
import { applyTheme, currentTheme, storeTheme } from "../state/theme";
import { MoonIcon, SunIcon } from "./icons";
import { Button } from "./buttons";

export function Header({ config, page, hasToken, forgetToken }: {
  readonly config: Config;
  readonly page: Place["page"];
  readonly hasToken: boolean;
  readonly forgetToken: () => void;
}) {
  const pages = [
    ["Tools", "#/", page === "list" || page === "tool"] as const,
    ["Targets", "#/targets", page === "targets"] as const,
    ...(config.hasLog ? [["Log", logHash(), page === "log"] as const] : []),
  ];
  return (
    <header class="top">
      <h1><a class="brand" href="#/" dir="auto">{config.title}</a></h1>
      <Project config={config} />
      <nav class="pages" aria-label="Pages">
        {pages.map(([name, href, isCurrent]) => (
          <a key={name} href={href} aria-current={isCurrent ? "page" : undefined}>{name}</a>
        ))}
      </nav>
      <span class="spacer" />
      {hasToken && <Button onClick={forgetToken}>Forget the token</Button>}
      <span class={`mode ${config.allowExecute ? "on" : "off"}`}>
        {config.allowExecute ? "Execution on" : "Execution off"}
      </span>
      {config.version && <span class="version">v{config.version}</span>}
      <ThemeButton />
    </header>
  );
}

function Project({ config }: { readonly config: Config }) {
  const text = config.projectName ?? config.projectUrl;
  if (text === null) return null;
  const href = safeLink(config.projectUrl);
  if (href === null) return <span class="project">{text}</span>;
  return <a class="project" href={href} rel="noopener noreferrer">{text}</a>;
}

function ThemeButton() {
  const [theme, setTheme] = useState(currentTheme);
  const other = theme === "dark" ? "light" : "dark";
  const toggle = (): void => {
    applyTheme(other);
    storeTheme(other);
    setTheme(other);
  };
  return (
    <Button class="icon-button" aria-label={`Use ${other} colours`} onClick={toggle}>
      {theme === "dark" ? <SunIcon /> : <MoonIcon />}
    </Button>
  );
}
