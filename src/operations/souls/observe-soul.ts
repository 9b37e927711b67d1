import { z } from "zod";
import { soulProposalView } from "../../contract/soul.ts";
import { PERSON } from "../../domain/message/message.ts";
import { observe, type ObservedFacts } from "../../domain/soul/observe.ts";
import { projectAgentOf } from "../../domain/workspace/participant-identity.ts";
import { ok } from "../../kernel/result.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import { persons } from "../core/access.ts";
import { proposal, type Services } from "../core/define.ts";
import { BESIDE_RUNS, proposeSoulChange } from "./propose-soul-change.ts";
import { soulNow, soulSubject } from "./soul-subject.ts";
import { toSoulProposalView } from "./view.ts";

const MESSAGES_PER_SPACE = 100;
/** So many are looked through: those it takes part in by its name first, then those that were opened last. */
const WORKSPACES_LOOKED_AT = 50;
const WORKSPACES = 10;
const PROPOSALS = 200;
const DOCUMENTS = 1_000;

/**
 * Looks for repeated behaviour in what is kept anyway, and puts forward what it finds, with its evidence. Asked by the
 * guard now and then after runs, and by a person at any time. What was found before is not put forward again.
 */
export const observeSoul = proposal({
  name: "observe-soul",
  summary: "Look at what an agent was told and did lately, and propose what its soul could learn from it.",
  input: z.object({ agent: z.string() }),
  output: z.object({ agent: z.string(), proposals: z.array(soulProposalView) }),
  access: persons,

  async prepare({ agent }, ctx) {
    const subject = await soulSubject(ctx, agent);
    if (!subject.ok) return subject;
    return ok(await ctx.read((store) => readFacts(store, ctx.services, agent)));
  },

  async execute({ agent }, ctx, facts) {
    const now = soulNow(ctx.services, agent);
    if (!now.ok) return now;
    const known = new Set((await ctx.store.soulProposals.list({ agent, limit: PROPOSALS })).map(({ id }) => id));
    const proposals = [];
    for (const found of now.value.problem === null ? observe(facts, now.value.soul) : []) {
      const idea = { ...BESIDE_RUNS, ...found, agent, source: "observation", author: "guard" } as const;
      const put = await proposeSoulChange(ctx, idea);
      if (put.ok && !known.has(put.value.id)) proposals.push(toSoulProposalView(ctx.services, put.value));
    }
    return ok({ agent, proposals });
  },
});

async function readFacts(store: StoreReads, { definitions }: Services, agent: string): Promise<ObservedFacts> {
  const isWatched = (workflow: string): boolean => definitions.workflow(workflow)?.guard?.soul.observe !== false;
  const told = [];
  const direct = await store.messages.page({ space: agent, limit: MESSAGES_PER_SPACE });
  for (const { id, sender, kind, body, createdAt } of direct) {
    if (sender === PERSON && kind === "message") told.push({ message: id, text: body, at: createdAt });
  }
  const names = new Map<string, string>();
  const own = new Set(await store.workspaces.workspacesOf(agent));
  const workspaces = (await store.workspaces.list()).toSorted(
    (a, b) => Number(own.has(b.key)) - Number(own.has(a.key)) || b.openedAt - a.openedAt,
  );
  for (const { key, workflow } of workspaces.slice(0, WORKSPACES_LOOKED_AT)) {
    if (names.size >= WORKSPACES) break;
    if (!isWatched(workflow)) continue;
    const self = (await store.workspaces.participants(key)).find((each) => projectAgentOf(each) === agent);
    if (self === undefined) continue;
    names.set(key, self.agent);
    for (const message of await store.messages.page({ space: key, limit: MESSAGES_PER_SPACE })) {
      const toIt = message.addressee === self.agent || message.mentions.includes(self.agent);
      if (message.sender === PERSON && message.kind === "message" && toIt) {
        told.push({ message: message.id, text: message.body, at: message.createdAt });
      }
    }
  }
  const written = (await store.behaviourPatterns.documentsWritten(DOCUMENTS)).filter(
    ({ space, by }) => names.get(space) === by,
  );
  told.sort((a, b) => a.at - b.at);
  return { told, written: written.map(({ space, file }) => ({ space, file })).toReversed() };
}
