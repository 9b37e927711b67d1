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

/** `kickoff` is never cut; `notice` is from the system; `prompt` is from a schedule. */
export type MessageKind = "message" | "kickoff" | "notice" | "prompt";

/** Reserved senders: the person and the system. */
export const PERSON = "user";
export const SYSTEM = "system";

/** The position of a message in its causal tree. A message without a cause is the root, at depth 0. */
export interface Causality {
  readonly root: string;
  readonly cause: string | null;
  readonly depth: number;
}
