import { z } from "zod";
import { parseSpace } from "../../domain/message/space.ts";
import { startWords } from "../../domain/message/space-words.ts";
import { displayWorkspace } from "../../domain/workspace/workspace.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import { systemOnly } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { closeWorkspace } from "./close-workspace.ts";

/** Closes the workspace that a start opened. One that was closed meanwhile, or opened by another start, is left alone. */
export const endWorkflow = proposal(
  {
    name: "end-workflow",
    summary: "Close the workspace that a start has opened.",
    input: z.object({ space: z.string(), openedAt: z.int(), reason: z.string().optional() }),
    output: z.object({ closed: z.boolean() }),
  },
  {
    access: systemOnly,

    async execute({ space, openedAt, reason }, ctx) {
      if (!(await isStillOpen(ctx.store, space, openedAt))) return ok({ closed: false });
      const closed = await ctx.propose(closeWorkspace, { target: space, reason });
      return closed.ok ? ok({ closed: true }) : closed;
    },
  },
);

/** Whether the workspace is open, and has been since then. */
export async function isStillOpen(
  store: Pick<StoreReads, "workspaces">,
  space: string,
  openedAt: number,
): Promise<boolean> {
  const workspace = await store.workspaces.status(space);
  return workspace?.state === "open" && workspace.openedAt === openedAt;
}

/** For the one who waits for a start whose workspace was closed during its setup. */
export function refuseStopped(space: string): Result<never, Refusal> {
  const parsed = parseSpace(space);
  if (!parsed.ok || parsed.value.kind !== "workspace") return refuse("failed", `${space} was stopped.`);
  const { workflow, tag } = parsed.value;
  const again = startWords({ workflow, tag });
  return refuse("failed", `@${displayWorkspace(parsed.value)} was stopped during its setup; nothing was begun.`, {
    hint: `Start it again with: agent-worker start ${again}`,
    details: { space, stopped: true },
  });
}
