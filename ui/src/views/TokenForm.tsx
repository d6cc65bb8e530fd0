import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** Shown when the server answered 401. The token goes to memory only. */
export function TokenForm({
  hadToken,
  onToken,
  use = "execute",
}: {
  readonly hadToken: boolean;
  readonly onToken: (token: string) => void;
  /** What the token is then used for; completes "Use it and …". */
  readonly use?: string;
}): JSX.Element {
  const [token, setToken] = useState("");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (token.trim() !== "") onToken(token.trim());
  };
  return (
    <form class="token" onSubmit={submit}>
      <p class="notice-title">{hadToken ? "The server refused this token" : "The server asks for a token"}</p>
      <p class="notice-text">
        Status 401. Calls and the log need a bearer token; validation does not. It is kept until this page is closed
        and is not stored.
      </p>
      <div class="token-line">
        <label>
          <span class="off-screen">Token</span>
          <input
            ref={field}
            type="password"
            name="toolgauge-token"
            placeholder="Token"
            autocomplete="off"
            spellcheck={false}
            value={token}
            onInput={(event) => setToken(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="button primary" disabled={token.trim() === ""}>
          Use it and {use}
        </button>
      </div>
    </form>
  );
}
