import { useEffect, useState } from "preact/hooks";
import { CheckIcon, CopyIcon } from "./icons";
import { Button } from "./buttons";

const SHOWN_MS = 1_600;

/** Copies `text`; `what` completes "Copy …" for those who do not see the icon. */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  useEffect(() => {
    if (state === "idle") return undefined;
    const timer = setTimeout(() => setState("idle"), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async (): Promise<void> => setState((await copyText(text)) ? "copied" : "failed");
  const words = { idle: "Copy", copied: "Copied", failed: "Not copied" }[state];
  return (
    <Button aria-label={`${words} ${what}`} onClick={() => void copy()}>
      {state === "copied" ? <CheckIcon /> : <CopyIcon />}
      <span aria-live="polite">{words}</span>
    </Button>
  );
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Plain http on another host has no clipboard API, and a frame may be denied it.
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement("textarea");
  area.className = "off-screen";
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}
