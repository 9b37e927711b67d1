import { z } from "zod";
import { SYSTEM } from "../../domain/message/message.ts";
import { ok } from "../../kernel/result.ts";
import type { BallotRecord } from "../../ports/store/ballot.ts";
import { systemOnly } from "../core/access.ts";
import { proposal, type Execute } from "../core/define.ts";
import { spaceTarget } from "../core/space-target.ts";
import { postMessage } from "../messages/post-message.ts";
import { postNotice } from "../messages/post-notice.ts";
import { reminderNotice } from "./ballot-notice.ts";
import { missingVoters, openBallotsOf } from "./open-ballots.ts";

/**
 * Wakes those who have not voted, who opened the ballot too: once per ballot, when half of its time is over or when its
 * workspace has nothing else to do.
 */
export const remindVoters = proposal(
  {
    name: "remind-voters",
    summary: "Remind those who have not voted.",
    /** With a space: its open ballots, whatever their time. */
    input: z.object({ space: z.string().optional() }),
    output: z.object({ reminded: z.array(z.string()) }),
  },
  {
    access: systemOnly,

    async execute({ space }, ctx) {
      const due =
        space === undefined
          ? await ctx.store.ballots.dueForReminder(ctx.now)
          : (await openBallotsOf(ctx.store, space)).filter(({ remindedAt }) => remindedAt === null);
      const reminded = due.filter(({ expiresAt }) => ctx.now < expiresAt);
      for (const ballot of reminded) await remind(ctx, ballot);
      return ok({ reminded: reminded.map(({ id }) => id) });
    },
  },
);

async function remind(ctx: Execute, ballot: BallotRecord): Promise<void> {
  const missing = await missingVoters(ctx.store, ballot);
  await ctx.store.ballots.markReminded(ballot.id, ctx.now);
  await ctx.emit({ type: "ballot.reminded", space: ballot.space, ballot: ballot.id });
  const roster = new Set((await ctx.store.workspaces.roster(ballot.space)).map(({ agent }) => agent));
  const post = {
    target: spaceTarget(ballot.space),
    sender: SYSTEM,
    kind: "message",
    body: reminderNotice(ballot, missing),
    calls: missing.filter((voter) => roster.has(voter)),
    cause: ballot.announcement,
  } as const;
  const posted = post.calls.length > 0 && (await postMessage(ctx, post));
  if (posted === false || !posted.ok) await postNotice(ctx, post.target, post.body);
}
