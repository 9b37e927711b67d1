import { SYSTEM } from "../message/message.ts";
import type { WorkspaceSettings } from "../workflow/definition.ts";

/**
 * The owner of the documents while the election is undecided. No agent can have this name, so no agent may write, and
 * `checkDocumentWriter` needs no exception.
 */
export const UNDECIDED_OWNER = SYSTEM;

/** Value of `documentOwner` for an election instead of an agent. */
const ELECT = "elect";

/** How long the participants may vote before the first of them becomes the owner, unless the workflow says otherwise. */
export const ELECTION_TIMEOUT_MS = 120_000;

/**
 * Decides who owns the documents when a workspace opens; null: every agent may write. A single agent needs no owner. An
 * owner who was elected before the workspace was closed remains, if it is still a participant. A workspace without a
 * channel has no documents.
 */
export function ownerAtOpening(
  settings: Pick<WorkspaceSettings, "documentOwner" | "channel">,
  participants: readonly string[],
  elected: string | null,
): string | null {
  const { documentOwner, channel } = settings;
  if (documentOwner === undefined || !channel || participants.length < 2) return null;
  if (documentOwner !== ELECT) return documentOwner;
  return elected !== null && participants.includes(elected) ? elected : UNDECIDED_OWNER;
}
