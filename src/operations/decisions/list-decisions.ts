import * as contract from "../../contract/decisions/waiting-decisions.ts";
import type { WaitingDecisionsView } from "../../contract/decisions/waiting-decisions.ts";
import type { BallotView } from "../../contract/ballots.ts";
import { PERSON } from "../../domain/message/message.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { ok } from "../../kernel/result.ts";
import { listApprovals } from "../approvals/list-approvals.ts";
import { toBallotView } from "../ballots/view.ts";
import { persons } from "../core/access.ts";
import { callerSpace } from "../core/caller-space.ts";
import { query, type Read } from "../core/define.ts";
import { listDeadLetters } from "../dead-letters/list-dead-letters.ts";
import { toSuggestionView } from "../documents/view.ts";
import { listMemoryChanges } from "../memory-changes/list-memory-changes.ts";
import { listSoulProposals } from "../souls/list-soul-proposals.ts";

/** Changes of souls and questions about memories belong to an agent and not to a place. */
export const listDecisions = query(contract.listDecisions, {
  access: persons,

  async execute({ target, limit }, ctx) {
    const space = target === undefined ? undefined : callerSpace(target, ctx.caller);
    if (space?.ok === false) return space;
    const place = target === undefined ? {} : { target };
    const approvals = await listApprovals.execute({ ...place, state: "pending", limit }, ctx);
    if (!approvals.ok) return approvals;
    const dead = await listDeadLetters.execute({ ...place, limit }, ctx);
    if (!dead.ok) return dead;
    const souls = await listSoulProposals.execute({ state: "open", limit: Math.min(limit, SMALLER_LIMIT) }, ctx);
    if (!souls.ok) return souls;
    const memories = await listMemoryChanges.execute({ state: "open", limit: Math.min(limit, SMALLER_LIMIT) }, ctx);
    if (!memories.ok) return memories;
    const lists = {
      approvals: approvals.value.approvals.toReversed(),
      ...(await inWorkspaces(ctx, space === undefined ? undefined : formatSpace(space.value), limit)),
      souls: target === undefined ? souls.value.proposals.toReversed() : [],
      memories: target === undefined ? memories.value.changes.toReversed() : [],
      deadLetters: dead.value.deliveries.toReversed(),
    };
    return ok({ ...lists, awaiting: countAwaiting(lists) });
  },
});

/** As many as the lists of souls and memories return at once. */
const SMALLER_LIMIT = 200;

/** Reads the ballots and suggestions of all open workspaces, or of one, in one state of the store. */
async function inWorkspaces(
  ctx: Read,
  only: string | undefined,
  limit: number,
): Promise<Pick<WaitingDecisionsView, "ballots" | "suggestions">> {
  return ctx.read(async (store) => {
    const open = await store.workspaces.list({ state: "open" });
    const spaces = only === undefined ? open.map(({ key }) => key) : [only];
    const ballots: BallotView[] = [];
    const suggestions: WaitingDecisionsView["suggestions"] = [];
    for (const space of spaces) {
      for (const ballot of (await store.ballots.list({ space, state: "open", limit })).toReversed()) {
        ballots.push(toBallotView(ballot, await store.ballots.votes(ballot.id)));
      }
      suggestions.push(...(await store.suggestions.open({ space, limit })).map(toSuggestionView));
    }
    return {
      ballots: ballots.toSorted((a, b) => Date.parse(a.openedAt) - Date.parse(b.openedAt)).slice(-limit),
      suggestions: suggestions.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)).slice(-limit),
    };
  });
}

function countAwaiting(lists: Omit<WaitingDecisionsView, "awaiting">): number {
  const { approvals, ballots, suggestions, souls, memories, deadLetters } = lists;
  const mine = ballots.filter(({ missing }) => missing.includes(PERSON));
  return [approvals, mine, suggestions, souls, memories, deadLetters].reduce((sum, { length }) => sum + length, 0);
}
