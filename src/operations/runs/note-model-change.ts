import { z } from "zod";
import { ok } from "../../kernel/result.ts";
import { systemOnly } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { spaceTarget } from "../core/space-target.ts";
import { postNotice } from "../messages/post-notice.ts";
import { leasedRun, leasedRunInput } from "./leased-run.ts";

/** Says in the channel that a run goes on with the next model of its agent, and why. */
export const noteModelChange = proposal(
  {
    name: "note-model-change",
    summary: "Say that a run goes on with another model.",
    input: leasedRunInput.extend({ from: z.string(), to: z.string(), reason: z.string() }),
    output: z.object({}),
  },
  {
    access: systemOnly,

    async execute({ run: id, leaseOwner, from, to, reason }, ctx) {
      const leased = await leasedRun(ctx.store, id, leaseOwner);
      if (!leased.ok) return leased;
      const { agent, space } = leased.value;
      const why = ctx.services.redact(reason).slice(0, LONGEST_REASON);
      const notice = `${agent} goes on with ${to}, because ${from} failed: ${why}`;
      await postNotice(ctx, spaceTarget(space), notice, null, id);
      return ok({});
    },
  },
);

const LONGEST_REASON = 500;
