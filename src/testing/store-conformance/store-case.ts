import type { Store } from "../../ports/store/store.ts";

/** Where the workspaces of a case are stored. */
export type CaseProvider = "sqlite" | "memory";

/** One promise of the Store port. It uses only the port, and throws when the promise is broken. */
export interface StoreCase {
  readonly name: string;
  /** Gets an empty store, in which only `spaces` are open. */
  readonly run: (store: Store, provider: CaseProvider) => Promise<void>;
  /** Workspaces that must be open before the case runs in memory; by default those that `records.ts` names. */
  readonly spaces?: readonly string[];
}
