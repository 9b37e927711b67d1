import { z } from "zod";
import { ok } from "../../kernel/result.ts";
import { systemOnly } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { isStillOpen, refuseStopped } from "./end-workflow.ts";
import { postKickoffText } from "./kickoff-text.ts";
import { openOwnerElection } from "./open-owner-election.ts";
import { wakeMembers } from "./workspace-members.ts";

/**
 * The second half of a start: posts the kickoff and marks the workflow as started, in one transaction, so that a crash
 * never posts it twice. If the participants elect the owner of the documents first, the kickoff is stored until then.
 */
export const postKickoff = proposal(
  {
    name: "post-kickoff",
    summary: "Post the kickoff of a workflow into its workspace.",
    input: z.object({
      space: z.string(),
      /** When this start opened the workspace. Nothing is posted into one that was closed or reopened since. */
      openedAt: z.int(),
      untilIdle: z.boolean(),
      /** Absent: the workflow starts without a message. */
      kickoff: z
        .object({
          text: z.string(),
          /** Ranges of the text that were filled in: they are data. */
          inert: z.array(z.object({ start: z.int(), end: z.int() })),
          /** False when it quotes the output of commands or the environment. */
          personsOwn: z.boolean(),
        })
        .optional(),
    }),
    /** Whether it woke, or after the election will wake, somebody. Null without a kickoff. Warnings: whom it names in vain. */
    output: z.object({ woke: z.boolean().nullable(), warnings: z.array(z.string()) }),
  },
  {
    access: systemOnly,

    async execute({ space, openedAt, untilIdle, kickoff }, ctx) {
      if (!(await isStillOpen(ctx.store, space, openedAt))) return refuseStopped(space);
      const election = await openOwnerElection(ctx, space);
      if (!election.ok) return election;
      await wakeMembers(ctx, space);
      if (election.value) {
        const waiting = { space, phase: "election", untilIdle } as const;
        await ctx.store.instances.save(kickoff === undefined ? waiting : { ...waiting, kickoff });
        return ok({ woke: kickoff === undefined ? null : true, warnings: [] });
      }
      await ctx.store.instances.save({ space, phase: "started", untilIdle });
      if (kickoff === undefined) return ok({ woke: null, warnings: [] });
      const posted = await postKickoffText(ctx, space, kickoff);
      if (!posted.ok) return posted;
      return ok({ woke: posted.value.recipients.length > 0, warnings: posted.value.warnings });
    },
  },
);
