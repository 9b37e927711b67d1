import { z } from "zod";
import { resolveBallot } from "../../domain/ballot/resolve.ts";
import { PERSON } from "../../domain/message/message.ts";
import { ok } from "../../kernel/result.ts";
import type { BallotRecord } from "../../ports/store/ballot.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import { systemOnly } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { decideBallot } from "./decide-ballot.ts";
import { missingVoters, openBallotsOf } from "./open-ballots.ts";
import { refreshOwnProposals } from "../own-proposals/refresh-own-proposals.ts";

/**
 * Closes every ballot that has expired. With `idleSpace`, a workspace that has nothing else to do, also its ballots for
 * which nobody will vote any more: those who have not voted are agents, were reminded, and ended their turn. Calling it
 * again changes nothing.
 */
export const expireBallots = proposal(
  {
    name: "expire-ballots",
    summary: "Close the ballots whose time is over.",
    input: z.object({ idleSpace: z.string().optional() }),
    output: z.object({ closed: z.array(z.object({ id: z.string(), state: z.string() })) }),
  },
  {
    access: systemOnly,

    prepare: refreshOwnProposals,

    async execute({ idleSpace }, ctx) {
      const closed: { id: string; state: string }[] = [];
      const abandoned = idleSpace === undefined ? [] : await abandonedIn(ctx.store, idleSpace);
      for (const ballot of [...(await ctx.store.ballots.due(ctx.now)), ...abandoned]) {
        // An earlier one of the list may be the same, or have closed this one together with its workspace.
        if ((await ctx.store.ballots.byId(ballot.id))?.state !== "open") continue;
        const votes = await ctx.store.ballots.votes(ballot.id);
        const outcome = resolveBallot(ballot.terms, votes, { expired: true });
        await decideBallot(ctx, ballot, outcome);
        closed.push({ id: ballot.id, state: outcome.status });
      }
      return ok({ closed });
    },
  },
);

async function abandonedIn(store: StoreReads, space: string): Promise<BallotRecord[]> {
  const abandoned: BallotRecord[] = [];
  for (const ballot of await openBallotsOf(store, space)) {
    if (ballot.remindedAt === null || (await missingVoters(store, ballot)).includes(PERSON)) continue;
    abandoned.push(ballot);
  }
  return abandoned;
}
