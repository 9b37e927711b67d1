import { z } from "zod";
import { SYSTEM } from "../../domain/message/message.ts";
import { ok } from "../../kernel/result.ts";
import { systemOnly } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { spaceTarget } from "../core/space-target.ts";
import { postNotice } from "../messages/post-notice.ts";
import { leasedRun, leasedRunInput } from "./leased-run.ts";

/**
 * Says in the conversation that a run goes on with the next model of its agent, and why: once for each failure, however
 * many runs it concerns. Returns the sentence.
 */
export const noteModelChange = proposal(
  {
    name: "note-model-change",
    summary: "Say that a run goes on with another model.",
    input: leasedRunInput.extend({ from: z.string(), to: z.string(), reason: z.string(), since: z.number() }),
    output: z.object({ notice: z.string() }),
  },
  {
    access: systemOnly,

    async execute({ run: id, leaseOwner, fence, from, to, reason, since }, ctx) {
      const leased = await leasedRun(ctx.store, { run: id, leaseOwner, fence });
      if (!leased.ok) return leased;
      const { agent, space } = leased.value;
      const why = ctx.services.redact(reason).slice(0, LONGEST_REASON);
      const notice = `${agent} goes on with ${to}, because ${from} failed: ${why}`;
      const key = `model ${space} ${agent} ${from} ${to} ${since}`;
      if ((await ctx.store.messages.byIdempotencyKey(SYSTEM, key)) === undefined) {
        await postNotice(ctx, spaceTarget(space), notice, key, id);
      }
      return ok({ notice });
    },
  },
);

const LONGEST_REASON = 500;
