import { z } from "zod";
import { MAX_ITEM_CHARS } from "../domain/soul/soul-change.ts";
import { declareProposal, declareQuery } from "./operation.ts";
import { personalAgent } from "./memory.ts";

export const soulChangeView = z.object({
  kind: z.enum(["add", "remove", "replace", "restore"]),
  trait: z.string(),
  /** The item or the text. Null when a whole trait is restored. */
  value: z.string().nullable(),
});
export type SoulChangeView = z.output<typeof soulChangeView>;

const traits = z.record(z.string(), z.unknown());
const items = z.record(z.string(), z.array(z.string()));

export const soulView = z.object({
  agent: z.string(),
  /** The baseline with everything learned: what the agent gets in its prompt. */
  soul: traits,
  /** The soul in the definition. */
  baseline: traits,
  learned: z.object({ add: items, remove: items, replace: z.record(z.string(), z.string()) }),
  /** 0 for the baseline alone. */
  version: z.int(),
  /** What a person changed in the soul file since that version. */
  edited: z.array(soulChangeView),
  /** Why the soul file cannot be used, so that only the baseline counts. Null when it can. */
  problem: z.string().nullable(),
  /** Number of open proposals. */
  open: z.int(),
});
export type SoulView = z.output<typeof soulView>;

export const soulVersionView = z.object({
  version: z.int(),
  at: z.string(),
  /** "user", or "guard" for a small change where the project allows it. */
  by: z.string(),
  why: z.string(),
  evidence: z.array(z.string()),
  proposal: z.string().nullable(),
  changes: z.array(soulChangeView),
});
export type SoulVersionView = z.output<typeof soulVersionView>;

export const soulProposalView = z.object({
  id: z.string(),
  agent: z.string(),
  source: z.enum(["agent", "person", "observation"]),
  author: z.string(),
  observation: z.string(),
  change: soulChangeView,
  /** The guard may approve small changes where the project allows it. */
  risk: z.enum(["small", "significant"]),
  evidence: z.array(z.string()),
  space: z.string().nullable(),
  run: z.string().nullable(),
  /** `heard`: the senders whose messages its run had read. `outside`: it may come from untrusted content. */
  heard: z.array(z.string()),
  outside: z.boolean(),
  times: z.int(),
  state: z.enum(["open", "approved", "rejected"]),
  decidedBy: z.string().nullable(),
  reason: z.string().nullable(),
  /** The version it became. Null unless it was approved. */
  version: z.int().nullable(),
  at: z.iso.datetime(),
  decidedAt: z.iso.datetime().nullable(),
});
export type SoulProposalView = z.output<typeof soulProposalView>;

export const soulProposalId = z.string().describe("Id of the proposal, such as sol_...");

const MAX_OBSERVATION = 1000;
const text = z.string().trim().min(1).max(MAX_ITEM_CHARS);

export const suggestedChange = z
  .object({
    trait: z.string().trim().min(1).describe("role, expertise, style, principles, or another one"),
    add: text.optional().describe("An item to add to a list."),
    remove: text.optional().describe("An item to take out of a list."),
    replace: text.optional().describe("A new text for role or style."),
  })
  .describe("What to change; without it, the observation is to become a principle.");

export const showSoul = declareQuery({
  name: "show-soul",
  summary: "Show the soul of an agent: the baseline of its definition, and what was learned on top.",
  personTool: "soul_show",
  method: "GET",
  path: "/agents/:agent/soul",
  input: z.object({ agent: z.string() }),
  output: soulView,
});

export const listSoulVersions = declareQuery({
  name: "list-soul-versions",
  summary: "List every version of a soul with its difference: who decided it, why, and on what evidence.",
  method: "GET",
  path: "/agents/:agent/soul/history",
  input: z.object({ agent: z.string() }),
  output: z.object({
    agent: z.string(),
    /** Oldest first. Version 0, the baseline alone, is not listed. */
    versions: z.array(soulVersionView),
    /** What a person changed in the file since the last one. */
    edited: z.array(soulChangeView),
  }),
});

export const suggestSoul = declareProposal({
  name: "suggest-soul",
  summary: "Suggest a change of a soul: who the agent always is. A person decides; nothing changes until then.",
  method: "POST",
  path: "/agents/:agent/soul/proposals",
  input: z.object({
    agent: personalAgent,
    observation: z.string().trim().min(3, "there is nothing to suggest").max(MAX_OBSERVATION),
    change: suggestedChange.optional(),
  }),
  output: soulProposalView,
});

export const observeSoul = declareProposal({
  name: "observe-soul",
  summary: "Look at what an agent was told and did lately, and propose what its soul could learn from it.",
  method: "POST",
  path: "/agents/:agent/soul/observe",
  input: z.object({ agent: z.string() }),
  output: z.object({ agent: z.string(), proposals: z.array(soulProposalView) }),
});

export const rollBackSoul = declareProposal({
  name: "roll-back-soul",
  summary: "Put a soul back to an earlier version, 0 being the baseline alone. It is a new version.",
  method: "POST",
  path: "/agents/:agent/soul/rollback",
  input: z.object({
    agent: z.string(),
    version: z.int().min(0),
    why: z.string().trim().max(1000).optional(),
  }),
  output: z.object({ agent: z.string(), version: soulVersionView }),
});

export const listSoulProposals = declareQuery({
  name: "list-soul-proposals",
  summary: "List the changes of souls that wait for a person, newest first; or those that were decided.",
  personTool: "soul_proposals",
  method: "GET",
  path: "/soul-proposals",
  input: z.object({
    agent: z.string().optional().describe("Only those of this agent."),
    state: z.enum(["open", "approved", "rejected", "all"]).default("open"),
    limit: z.int().min(1).max(200).default(50),
  }),
  output: z.object({ proposals: z.array(soulProposalView) }),
});

export const approveSoul = declareProposal({
  name: "approve-soul",
  summary: "Approve a proposed change of a soul: it becomes a new version of it.",
  method: "POST",
  path: "/soul-proposals/:id/approve",
  input: z.object({ id: soulProposalId, reason: z.string().trim().max(1000).optional() }),
  output: soulProposalView,
});

export const rejectSoul = declareProposal({
  name: "reject-soul",
  summary: "Reject a proposed change of a soul: nothing changes, and it is not brought up again.",
  method: "POST",
  path: "/soul-proposals/:id/reject",
  input: z.object({ id: soulProposalId, reason: z.string().trim().max(1000).optional() }),
  output: soulProposalView,
});
