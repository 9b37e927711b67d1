import { formatSpace } from "../../domain/message/space.ts";
import { workspaceOf } from "../../domain/workspace/sub-space.ts";
import type { OpenProject } from "../open-project.ts";

/** Breaks off the run that a mailbox executes, so that it yields, and lets its loop look for other work. */
export type InterruptRun = (mailbox: string) => Promise<void>;

/**
 * Breaks off the steps that are still running in a workspace that was closed. A new instance begins only after them,
 * because an agent of the last one would act in it.
 */
export async function interruptClosed(
  { store }: OpenProject,
  interrupt: InterruptRun,
  workspace: { readonly workflow: string; readonly tag: string },
): Promise<void> {
  const key = formatSpace({ kind: "workspace", ...workspace });
  const running = await store.read(async (reads) => {
    if ((await reads.workspaces.status(key))?.state !== "closed") return [];
    return (await reads.runs.unfinished()).filter(({ space, state }) => workspaceOf(space) === key && state === "open");
  });
  await Promise.all(running.map(({ mailbox }) => interrupt(mailbox)));
}
