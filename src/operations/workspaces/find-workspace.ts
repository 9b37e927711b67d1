import type { Space } from "../../domain/message/message.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { startWords } from "../../domain/message/space-words.ts";
import { refuseSubSpace, splitTag } from "../../domain/workspace/sub-space.ts";
import { displayWorkspace } from "../../domain/workspace/workspace.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import type { WorkspaceRecord } from "../../ports/store/workspace.ts";

/** Returns the workspace of a space, open or closed: a closed one can still be read. */
export async function findWorkspace(store: StoreReads, space: Space): Promise<Result<WorkspaceRecord, Refusal>> {
  if (space.kind === "dm") {
    return refuse("not_found", `Direct messages with ${space.agent} have no workspace.`, {
      hint: "Name a workspace as @WORKFLOW or @WORKFLOW:TAG.",
    });
  }
  const workspace = await store.workspaces.byKey(formatSpace(space));
  if (workspace !== undefined) return ok(workspace);
  if (space.instance !== undefined) {
    return refuse("not_found", `There is no instance "${displayWorkspace(space)}".`, {
      hint: `See which there are: agent-worker ls @${displayWorkspace({ workflow: space.workflow, tag: space.tag })}`,
    });
  }
  if (splitTag(space.tag).name !== undefined) return refuseSubSpace(space.workflow, space.tag);
  return refuse("not_running", `workflow "${displayWorkspace(space)}" is not running.`, {
    hint: `Start it with: agent-worker start ${startWords(space)}`,
    details: { workflow: space.workflow, tag: space.tag },
  });
}
