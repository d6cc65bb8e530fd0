import { render } from "preact";
import { readConfig } from "./config";
import { baseOf, createApi } from "./net/api";
import { applyTheme, storedTheme } from "./state/theme";
import "./styles/index.css";
import { App } from "./views/App";

applyTheme(storedTheme());
const config = readConfig(document.getElementById("toolgauge-config")?.textContent ?? "{}");
const host = document.getElementById("app");
if (host) render(<App api={createApi(baseOf(location))} config={config} />, host);
