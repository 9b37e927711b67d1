import { SYSTEM } from "../message/message.ts";
import type { WorkspaceSettings } from "../workflow/definition.ts";

/**
 * Who owns the documents of a workspace when it opens. While an election is undecided they belong to the system, which
 * no agent can be called: so nobody may write, and the rule about owners needs no exception.
 */
export const UNDECIDED_OWNER = SYSTEM;

/** How a workflow asks for an election instead of naming an agent. */
const ELECT = "elect";

export interface OwnerAtOpening {
  /** null = everyone may write. */
  readonly owner: string | null;
  /** The participants have to choose first. */
  readonly election: boolean;
}

/**
 * A single agent needs no owner. An owner elected in an earlier life of the workspace stays in office as long as it
 * takes part. A workspace without a channel has no documents, hence nobody to own them.
 */
export function ownerAtOpening(
  settings: Pick<WorkspaceSettings, "documentOwner" | "channel">,
  participants: readonly string[],
  elected: string | null,
): OwnerAtOpening {
  const { documentOwner, channel } = settings;
  if (documentOwner === undefined || !channel || participants.length < 2) return { owner: null, election: false };
  if (documentOwner !== ELECT) return { owner: documentOwner, election: false };
  if (elected !== null && participants.includes(elected)) return { owner: elected, election: false };
  return { owner: UNDECIDED_OWNER, election: true };
}
