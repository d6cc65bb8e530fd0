import { useEffect, useState } from "preact/hooks";

/** The address's fragment, followed through links, back and forward. */
export function useHash(): string {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = (): void => setHash(location.hash);
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return hash;
}

/** Put another address in the place of this one: there is no step back to it. */
export function replaceHash(hash: string): void {
  history.replaceState(null, "", hash);
  dispatchEvent(new HashChangeEvent("hashchange"));
}
