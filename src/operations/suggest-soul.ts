import { z } from "zod";
import { soulProposalView } from "../contract/soul.ts";
import { readFrozenDefinition } from "../domain/agent/frozen-definition.ts";
import { outsideTextIn } from "../domain/agent/outside-text.ts";
import { asItem, MAX_ITEM_CHARS, type SoulChange } from "../domain/soul/soul-change.ts";
import type { Caller } from "../kernel/caller.ts";
import { refuse, type Refusal } from "../kernel/refusal.ts";
import { ok, type Result } from "../kernel/result.ts";
import { callerName, everyone } from "./access.ts";
import { proposal, type Read } from "./define.ts";
import { personalAgent } from "./personal-input.ts";
import { putForward } from "./put-forward.ts";
import { soulSubject } from "./soul-subject.ts";
import { toSoulProposalView } from "./soul-view.ts";

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
    const { caller } = ctx;
    const outside = caller.kind === "agent" ? await readOutside(ctx, caller) : [];
    return ok({ agent: subject.value.agent, change: meant.value, outside });
  },

  async execute({ observation }, ctx, { agent, change, outside }) {
    const { caller } = ctx;
    const run = caller.kind === "agent" ? caller.run : null;
    const cause = caller.kind === "agent" ? caller.cause : null;
    const put = await putForward(ctx, {
      agent,
      source: caller.kind === "agent" ? "agent" : "person",
      author: caller.kind === "agent" ? agent : callerName(caller),
      observation,
      change,
      evidence: [run, cause].filter((id) => id !== null),
      space: caller.kind === "agent" ? caller.space : null,
      run,
      outside,
    });
    return put.ok ? ok(toSoulProposalView(ctx.facilities, put.value)) : put;
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

async function readOutside(ctx: Read, { name, space, run, cause }: Caller & { kind: "agent" }) {
  const found = await ctx.readEverywhere(async (store) => {
    const deliveries = run === null ? [] : await store.deliveries.ofRun(run);
    const ids = new Set([...deliveries.map(({ message }) => message), ...(cause === null ? [] : [cause])]);
    const senders: string[] = [];
    for (const id of ids) {
      const message = await store.messages.byId(id);
      if (message !== undefined) senders.push(message.sender);
    }
    return { senders, participant: await store.workspaces.participant(space, name) };
  });
  const participant = found.find((each) => each.participant !== undefined)?.participant;
  const definition =
    participant === undefined ? ctx.facilities.definitions.agent(name) : readFrozenDefinition(participant.definition);
  const senders = found.flatMap((each) => each.senders);
  return outsideTextIn({ agent: name, space, senders, definition: definition ?? {} });
}
