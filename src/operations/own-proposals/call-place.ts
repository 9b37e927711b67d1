import { formatSpace } from "../../domain/message/space.ts";
import { checkRunning } from "../../domain/workspace/participation.ts";
import type { Caller } from "../../kernel/caller.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import { callerSpace } from "../core/caller-space.ts";
import { findWorkspace } from "../workspaces/find-workspace.ts";

/** Returns the space a call acts in; null when a person named none. A workspace must be running. */
export async function placeOfCall(
  store: StoreReads,
  target: string | undefined,
  caller: Caller,
): Promise<Result<string | null, Refusal>> {
  if (caller.kind !== "agent" && target === undefined) return ok(null);
  const space = callerSpace(target, caller);
  if (!space.ok) return space;
  if (space.value.kind === "dm") return ok(formatSpace(space.value));
  const workspace = await findWorkspace(store, space.value);
  if (!workspace.ok) return workspace;
  const running = checkRunning({ ...workspace.value, running: workspace.value.state === "open", participants: [] });
  return running.ok ? ok(workspace.value.key) : running;
}
