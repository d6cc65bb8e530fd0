import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { curlCommand } from "./curl";

/** What a POSIX shell hands to curl. */
function words(command: string): string[] {
  const stub = "curl() { for word in \"$@\"; do printf '%s\\0' \"$word\"; done; }\n";
  const out = execFileSync("sh", ["-c", stub + command], {
    encoding: "utf8",
    env: { ...process.env, TOOLGAUGE_TOKEN: "from the shell" },
  });
  return out.split("\0").slice(0, -1);
}

const call = { base: "http://127.0.0.1:8000/explorer/", tool: "get_weather", body: "{}", needsToken: false };

test("a plain call", () => {
  expect(curlCommand(call)).toBe(
    "curl -sS 'http://127.0.0.1:8000/explorer/tools/get_weather/call' \\\n" +
      "  -H 'Content-Type: application/json' \\\n  --data-raw '{}'",
  );
});

test("a shell gets every body back as it was", () => {
  const bodies = ['{"a": "it\'s"}', "{\"a\": \"$HOME `id` \\\\ !! \\\" é 🎉\"}", "{\n  \"a\": 1.0\n}", "@file", "'''", ""];
  for (const body of bodies) {
    expect(words(curlCommand({ ...call, body })).at(-1)).toBe(body);
  }
});

test("hostile names stay inside the URL", () => {
  const [, url] = words(curlCommand({ ...call, tool: "a/b'; rm -rf ~; '?#" }));
  expect(url).toBe("http://127.0.0.1:8000/explorer/tools/a%2Fb'%3B%20rm%20-rf%20~%3B%20'%3F%23/call");
});

test("the token is named and never written", () => {
  const command = curlCommand({ ...call, needsToken: true });
  expect(command).toContain('"Authorization: Bearer $TOOLGAUGE_TOKEN"');
  expect(words(command)).toContain("Authorization: Bearer from the shell");
});
