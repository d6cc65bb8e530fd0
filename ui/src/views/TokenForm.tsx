import { useEffect, useId, useRef, useState } from "preact/hooks";
import { isSendable } from "../net/api";

/** Shown when the server answered 401. The token goes to memory only. */
export function TokenForm({ hadToken, onToken, use = "execute", hindrance = null }: {
  /** Whether the answer that asks for a token is one to a request with a token. */
  readonly hadToken: boolean;
  readonly onToken: (token: string) => void;
  /** What the token is then used for; completes "Use it and …". */
  readonly use?: string;
  /** Why nothing can be sent now, token or not. */
  readonly hindrance?: string | null;
}) {
  const [token, setToken] = useState("");
  const [isGiven, setGiven] = useState(false);
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const isUnfit = !isSendable(token.trim());
  const canBeUsed = token.trim() !== "" && !isUnfit;
  const submit = (event: Event): void => {
    event.preventDefault();
    if (!canBeUsed) return;
    setGiven(true);
    onToken(token.trim());
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
            aria-invalid={isUnfit}
            aria-describedby={id}
            value={token}
            onInput={(event) => {
              setToken(event.currentTarget.value);
              setGiven(false);
            }}
          />
        </label>
        <button type="submit" class="button primary" disabled={!canBeUsed}>Use it and {use}</button>
      </div>
      <p class="token-note" id={id} role="status">
        {isUnfit && "This cannot be sent: a header takes one line of Latin-1 characters."}
        {isGiven && hindrance !== null && `The token is kept for the next call. Nothing was sent: ${hindrance}`}
      </p>
    </form>
  );
}
