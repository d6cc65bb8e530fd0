import { render } from "preact";
import type { Report } from "./data";
import { Page } from "./Page";
import "./style.css";

const host = document.getElementById("app");
const data = document.getElementById("toolgauge-config")?.textContent ?? "{}";
if (host) render(<Page report={JSON.parse(data) as Report} />, host);
