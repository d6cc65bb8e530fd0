import { useRef, useState } from "preact/hooks";
import type { BodyProps } from "../Body";
import { useForm } from "../context";
import { Button } from "../../views/buttons";
import { TextControl } from "./controls";

/** Bytes; the server takes no body that is larger than a few megabytes. */
const MAX_BYTES = 8_000_000;
/** Characters of base64 that are shown as text. */
const MAX_SHOWN = 200;

/** Base64: a file is chosen, or the text is typed. */
export function FileControl(props: BodyProps) {
  const { field, view, frame } = props;
  const form = useForm();
  const picker = useRef<HTMLInputElement>(null);
  const [note, setNote] = useState("");
  const { node, path, order } = field;
  const value = node?.kind === "string" ? node.value : "";
  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    if (file.size > MAX_BYTES) {
      setNote(`${file.name} has ${sizeText(file.size)}; at most ${sizeText(MAX_BYTES)} are read here.`);
      return;
    }
    form.set(path, JSON.stringify(toBase64(new Uint8Array(await file.arrayBuffer()))), order);
    setNote(`${file.name}, ${sizeText(file.size)}`);
  };
  const media = view.schema["contentMediaType"];
  return (
    <>
      {value.length > MAX_SHOWN ? (
        <code class="form-fixed">base64 of {sizeText(Math.floor((value.length * 3) / 4))}</code>
      ) : (
        <TextControl {...props} />
      )}
      <span class="form-line">
        <Button aria-describedby={frame.described} onClick={() => picker.current?.click()}>
          Choose a file<span class="off-screen"> for {frame.label}</span>
        </Button>
        <input
          ref={picker}
          type="file"
          hidden
          accept={typeof media === "string" ? media : undefined}
          onChange={(event) => {
            const input = event.currentTarget;
            void take(input.files?.[0]).then(() => {
              // So that choosing the same file again is a change again.
              input.value = "";
            });
          }}
        />
        <span class="form-usual" role="status">{note}</span>
      </span>
    </>
  );
}

/** RFC 4648 section 4. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  // A few thousand at a time: that many arguments a function may have.
  for (let at = 0; at < bytes.length; at += 8_192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  }
  return btoa(text);
}

export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
