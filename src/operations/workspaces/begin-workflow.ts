import { z } from "zod";
import * as contract from "../../contract/workspaces.ts";
import { ok } from "../../kernel/result.ts";
import { systemOnly } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { openWorkspace } from "./open-workspace.ts";

/** The first half of a start: opens the workspace, in the setup phase. `post-kickoff` is the second half. */
export const beginWorkflow = proposal(
  {
    name: "begin-workflow",
    summary: "Open the workspace of a workflow that is being started.",
    input: contract.openWorkspace.input.extend({ untilIdle: z.boolean() }),
    output: contract.workspaceView,
  },
  {
    access: systemOnly,
    prepare: (data, ctx) => openWorkspace.prepare?.(data, ctx) ?? Promise.resolve(ok(1)),

    async execute({ untilIdle, ...place }, ctx, least) {
      const opened = await openWorkspace.execute(place, ctx, least);
      if (!opened.ok) return opened;
      const owner = ctx.services.node.facts().instance;
      await ctx.store.instances.save({ space: opened.value.space, phase: "setup", untilIdle, owner });
      return opened;
    },
  },
);
