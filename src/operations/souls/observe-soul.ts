import * as contract from "../../contract/souls.ts";
import { PERSON } from "../../domain/message/message.ts";
import { observe, type ObservedFacts } from "../../domain/soul/observe.ts";
import { ok } from "../../kernel/result.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import type { WorkspaceRecord } from "../../ports/store/workspace.ts";
import { persons } from "../core/access.ts";
import { proposal, type Services } from "../core/define.ts";
import { personalOwner } from "../core/personal-owner.ts";
import { currentSoul } from "./current-soul.ts";
import { WITHOUT_RUN, proposeSoulChange } from "./propose-soul-change.ts";
import { toSoulProposalView } from "./view.ts";

const MESSAGES_PER_SPACE = 100;
/** At most this many are searched: first those it takes part in under its own name, then the newest. */
const MAX_SEARCHED = 50;
const WORKSPACES = 10;
const PROPOSALS = 200;
const DOCUMENTS = 1_000;

/**
 * Looks for repeated behaviour in the store and proposes changes of the soul, with their evidence. The guard calls it now
 * and then after runs, a person at any time. What was found before is not proposed again.
 */
export const observeSoul = proposal(contract.observeSoul, {
  access: persons,

  async prepare({ agent }, ctx) {
    const subject = await personalOwner(ctx, agent);
    if (!subject.ok) return subject;
    return ok(await ctx.read((store) => readFacts(store, ctx.services, agent)));
  },

  async execute({ agent }, ctx, facts) {
    const current = currentSoul(ctx.services, agent);
    if (!current.ok) return current;
    const earlier = new Set((await ctx.store.soulProposals.list({ agent, limit: PROPOSALS })).map(({ id }) => id));
    const proposals = [];
    for (const found of current.value.problem === null ? observe(facts, current.value.soul) : []) {
      const draft = { ...WITHOUT_RUN, ...found, agent, source: "observation", author: "guard" } as const;
      const proposed = await proposeSoulChange(ctx, draft);
      if (proposed.ok && !earlier.has(proposed.value.id))
        proposals.push(toSoulProposalView(ctx.services, proposed.value));
    }
    return ok({ agent, proposals });
  },
});

async function readFacts(store: StoreReads, { definitions }: Services, agent: string): Promise<ObservedFacts> {
  const isObserved = ({ workflow, file }: WorkspaceRecord): boolean =>
    definitions.workflow(workflow, file)?.guard?.soul.observe !== false;
  const instructions = [];
  const direct = await store.messages.page({ space: agent, limit: MESSAGES_PER_SPACE });
  for (const { id, sender, kind, body, createdAt } of direct) {
    if (sender === PERSON && kind === "message") instructions.push({ message: id, text: body, at: createdAt });
  }
  const names = new Map<string, string>();
  const own = new Set(await store.workspaces.workspacesOf(agent));
  const workspaces = (await store.workspaces.list()).toSorted(
    (a, b) => Number(own.has(b.key)) - Number(own.has(a.key)) || b.openedAt - a.openedAt,
  );
  for (const workspace of workspaces.slice(0, MAX_SEARCHED)) {
    const { key } = workspace;
    if (names.size >= WORKSPACES) break;
    if (!isObserved(workspace)) continue;
    const self = (await store.workspaces.roster(key)).find(({ ref }) => ref === agent);
    if (self === undefined) continue;
    names.set(key, self.agent);
    for (const message of await store.messages.page({ space: key, limit: MESSAGES_PER_SPACE })) {
      const addressed = message.addressee === self.agent || message.mentions.includes(self.agent);
      if (message.sender === PERSON && message.kind === "message" && addressed) {
        instructions.push({ message: message.id, text: message.body, at: message.createdAt });
      }
    }
  }
  const written = (await store.behaviourPatterns.documentsWritten(DOCUMENTS)).filter(
    ({ space, by }) => names.get(space) === by,
  );
  instructions.sort((a, b) => a.at - b.at);
  return { instructions, written: written.map(({ space, file }) => ({ space, file })).toReversed() };
}
