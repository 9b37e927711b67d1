import { z } from "zod";
import { ok } from "../../kernel/result.ts";
import { systemOnly } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { spaceTarget } from "../core/space-target.ts";
import { postNotice } from "../messages/post-notice.ts";

/** A limit ended the work before it was complete: the workspace is not closed when it is idle, so that a person goes on. */
export const keepWorkspaceOpen = proposal(
  {
    name: "keep-workspace-open",
    summary: "Leave a workspace open whose work a limit has ended.",
    input: z.object({
      space: z.string(),
      /** What a person can do next. */
      hint: z.string().nullable(),
    }),
    output: z.object({}),
  },
  {
    access: systemOnly,

    async execute({ space, hint }, ctx) {
      await ctx.store.instances.save({ space, phase: "started", untilIdle: false });
      const reason = "A limit ended the work before it was complete.";
      await postNotice(ctx, spaceTarget(space), hint === null ? reason : `${reason} ${hint}`);
      return ok({});
    },
  },
);
