import { z } from "zod";
import { receiptView } from "../contract/message.ts";
import { SYSTEM } from "../domain/message/message.ts";
import { ok } from "../kernel/result.ts";
import { systemOnly } from "./access.ts";
import { proposal } from "./define.ts";
import { postMessage } from "./post-message.ts";
import { spaceTarget } from "./space-target.ts";

/**
 * The second half of a start: the task itself is said, and the workflow has started, in one transaction. After a crash
 * it has happened or it has not; it is never done twice.
 */
export const postKickoff = proposal({
  name: "post-kickoff",
  summary: "Post the kickoff of a workflow into its workspace.",
  input: z.object({
    space: z.string(),
    untilIdle: z.boolean(),
    /** Absent: the workflow starts without a word. */
    kickoff: z
      .object({
        text: z.string(),
        /** Parts of the text that were filled in, and so are data. */
        inert: z.array(z.object({ start: z.int(), end: z.int() })),
      })
      .optional(),
  }),
  output: z.object({ receipt: receiptView.nullable() }),
  access: systemOnly,
  space: ({ space }) => space,

  async execute({ space, untilIdle, kickoff }, ctx) {
    await ctx.store.instances.save({ space, phase: "started", untilIdle });
    if (kickoff === undefined) return ok({ receipt: null });
    const { text, inert } = kickoff;
    const posted = await postMessage(ctx, { target: spaceTarget(space), sender: SYSTEM, kind: "kickoff", body: text, inert });
    return posted.ok ? ok({ receipt: posted.value }) : posted;
  },
});
