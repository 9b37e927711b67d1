import { SYSTEM } from "../message/message.ts";
import type { WorkspaceSettings } from "../workflow/definition.ts";

/**
 * The owner of the documents while the election is undecided. No agent can have this name, so no agent may write, and
 * `checkDocumentWriter` needs no exception.
 */
export const UNDECIDED_OWNER = SYSTEM;

/** Value of `documentOwner` for an election instead of an agent. */
const ELECT = "elect";

export interface OwnerAtOpening {
  /** Null: every agent may write. */
  readonly owner: string | null;
  /** The participants must elect an owner first. */
  readonly election: boolean;
}

/**
 * Decides who owns the documents when a workspace opens. A single agent needs no owner. An owner who was elected before
 * the workspace was closed remains, if it is still a participant. A workspace without a channel has no documents.
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
