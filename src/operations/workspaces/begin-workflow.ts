import { z } from "zod";
import { workspaceView } from "../../contract/workspaces.ts";
import { DEFAULT_TAG } from "../../domain/names.ts";
import { ok } from "../../kernel/result.ts";
import { systemOnly } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { openWorkspace } from "./open-workspace.ts";

/** The first half of a start: opens the workspace, in the setup phase. `post-kickoff` is the second half. */
export const beginWorkflow = proposal(
  {
    name: "begin-workflow",
    summary: "Open the workspace of a workflow that is being started.",
    input: z.object({
      workflow: z.string(),
      file: z.string().nullable().default(null),
      tag: z.string().default(DEFAULT_TAG),
      untilIdle: z.boolean(),
    }),
    output: workspaceView,
  },
  {
    access: systemOnly,
    prepare: (data, ctx) => openWorkspace.prepare?.(data, ctx) ?? Promise.resolve(ok(undefined)),

    async execute({ untilIdle, ...place }, ctx) {
      const opened = await ctx.propose(openWorkspace, place);
      if (opened.ok) await ctx.store.instances.save({ space: opened.value.space, phase: "setup", untilIdle });
      return opened;
    },
  },
);
