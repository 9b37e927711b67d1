/** Where a message is: the channel of a workspace, or the direct messages of one agent. `space.ts` has the text form. */
export type Space =
  | {
      readonly kind: "workspace";
      readonly workflow: string;
      readonly tag: string;
      /** Number of an earlier instance, which can only be read. Absent: the current one. */
      readonly instance?: number;
    }
  | { readonly kind: "dm"; readonly agent: string };

/**
 * `kickoff` is never cut; `notice` is from the system; `prompt` is from a schedule; `grant` and `revoke` say which tools
 * an agent has (`domain/grant/`).
 */
export const MESSAGE_KINDS = ["message", "kickoff", "notice", "prompt", "grant", "revoke"] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** A message about rights wakes only those it mentions. */
export function isAboutRights(kind: MessageKind): boolean {
  return kind === "grant" || kind === "revoke";
}

/** Reserved senders: the person and the system. */
export const PERSON = "user";
export const SYSTEM = "system";

/** The position of a message in its causal tree. A message without a cause is the root, at depth 0. */
export interface Causality {
  readonly root: string;
  readonly cause: string | null;
  readonly depth: number;
}
