import type { PageKeyView } from "../../../src/contract/service/page.ts";
import { SESSION_ITEM, storedSession } from "./credential.ts";

/** Calls `listener` when another tab signs in or out, until the returned function is called. */
export function observeSession(listener: (session: PageKeyView | undefined) => void): () => void {
  const onStorage = ({ key }: StorageEvent): void => {
    if (key === SESSION_ITEM || key === null) listener(storedSession());
  };
  addEventListener("storage", onStorage);
  return () => removeEventListener("storage", onStorage);
}
