import type { HeldGrant } from "../../../domain/grant/grant.ts";

/**
 * What agents hold by grants in each space. It is derived from the messages of kind `grant` and `revoke`, in the
 * transaction that posts them: see `domain/grant/held-grants.ts`.
 */
export interface GrantReads {
  /** In the order in which they were given. */
  inSpace(space: string): Promise<HeldGrant[]>;
  /** The same for one agent. */
  of(space: string, agent: string): Promise<HeldGrant[]>;
}

export interface GrantWrites {
  /** Replaces what is held in a space. */
  replace(space: string, held: readonly HeldGrant[]): Promise<void>;
}
