import { z } from "zod";
import { soulProposalView } from "../../contract/souls.ts";
import { asItem, MAX_ITEM_CHARS, type SoulChange } from "../../domain/soul/soul-change.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { callerName, everyone } from "../core/access.ts";
import { proposal, type Execute } from "../core/define.ts";
import { personalAgent } from "../core/personal-input.ts";
import { BESIDE_RUNS, proposeSoulChange, type SoulChangeDraft } from "./propose-soul-change.ts";
import { soulSubject } from "./soul-subject.ts";
import { toSoulProposalView } from "./view.ts";

const MAX_OBSERVATION = 1000;
const text = z.string().trim().min(1).max(MAX_ITEM_CHARS);

const suggestedChange = z
  .object({
    trait: z.string().trim().min(1).describe("role, expertise, style, principles, or another one"),
    add: text.optional().describe("An item to add to a list."),
    remove: text.optional().describe("An item to take out of a list."),
    replace: text.optional().describe("A new text for role or style."),
  })
  .describe("What to change; without it, the observation is to become a principle.");

/**
 * Puts a change of a soul forward, for a person to decide. An agent can do this for itself and nothing more: there is no
 * operation by which it could decide.
 */
export const suggestSoul = proposal({
  name: "suggest-soul",
  summary: "Suggest a change of a soul: who the agent always is. A person decides; nothing changes until then.",
  input: z.object({
    agent: personalAgent,
    observation: z.string().trim().min(3, "there is nothing to suggest").max(MAX_OBSERVATION),
    change: suggestedChange.optional(),
  }),
  output: soulProposalView,
  access: everyone,

  async prepare({ agent, observation, change }, ctx) {
    const meant = meantChange(observation, change);
    if (!meant.ok) return meant;
    const subject = await soulSubject(ctx, agent);
    if (!subject.ok) return subject;
    return ok({ agent: subject.value.agent, change: meant.value });
  },

  async execute({ observation }, ctx, { agent, change }) {
    const put = await proposeSoulChange(ctx, { agent, observation, change, ...originOf(ctx, agent) });
    return put.ok ? ok(toSoulProposalView(ctx.services, put.value)) : put;
  },
});

function meantChange(
  observation: string,
  change: z.output<typeof suggestedChange> | undefined,
): Result<SoulChange, Refusal> {
  if (change === undefined) return ok({ kind: "add", trait: "principles", item: asItem(observation) });
  const { trait, add, remove, replace } = change;
  const meant: SoulChange[] = [
    ...(add === undefined ? [] : [{ kind: "add", trait, item: add } as const]),
    ...(remove === undefined ? [] : [{ kind: "remove", trait, item: remove } as const]),
    ...(replace === undefined ? [] : [{ kind: "replace", trait, text: replace } as const]),
  ];
  const [only, second] = meant;
  if (only !== undefined && second === undefined) return ok(only);
  return refuse("invalid", "A suggestion changes one thing.", { hint: "Give exactly one of add, remove and replace." });
}

/** Who suggests it, and what that run had heard: what the system knows, whatever the request says. */
function originOf(
  { caller, services }: Execute,
  agent: string,
): Omit<SoulChangeDraft, "agent" | "observation" | "change"> {
  if (caller.kind !== "agent") return { source: "person", author: callerName(caller), ...BESIDE_RUNS };
  const { run, space, cause } = caller;
  const evidence = [run, cause].filter((id) => id !== null);
  return { source: "agent", author: agent, evidence, space, run, ...services.provenance.of(run) };
}
