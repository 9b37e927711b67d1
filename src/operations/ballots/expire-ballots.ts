import { z } from "zod";
import { resolveBallot } from "../../domain/ballot/resolve.ts";
import { ok } from "../../kernel/result.ts";
import { systemOnly } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { decideBallot } from "./decide-ballot.ts";

/** Closes every ballot that has expired. Calling it again changes nothing. */
export const expireBallots = proposal(
  {
    name: "expire-ballots",
    summary: "Close the ballots whose time is over.",
    input: z.object({}),
    output: z.object({ closed: z.array(z.object({ id: z.string(), state: z.string() })) }),
  },
  {
    access: systemOnly,

    async execute(_data, ctx) {
      const closed: { id: string; state: string }[] = [];
      for (const ballot of await ctx.store.ballots.due(ctx.now)) {
        // The consequence of an earlier ballot may have closed this one together with its workspace.
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
