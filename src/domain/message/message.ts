/** Where a message lives: a workspace's channel, or the direct messages of one agent. See `space.ts` for the text form. */
export type Space =
  | { readonly kind: "workspace"; readonly workflow: string; readonly tag: string }
  | { readonly kind: "dm"; readonly agent: string };

/** `kickoff` is never cut; `notice` is spoken by the system; `prompt` is what a schedule says. */
export type MessageKind = "message" | "kickoff" | "notice" | "prompt";

/** Names nobody may take: the person, the system, and the mention of everyone. */
export const PERSON = "user";
export const SYSTEM = "system";

/** The causal tree a message belongs to. A message nobody caused is its own root, at depth 0. */
export interface Causality {
  readonly root: string;
  readonly cause: string | null;
  readonly depth: number;
}
