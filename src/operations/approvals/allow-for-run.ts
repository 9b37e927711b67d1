import { callRequest } from "../../domain/approval/call-rule.ts";
import { SYSTEM } from "../../domain/message/message.ts";
import type { ApprovalRecord } from "../../ports/store/approval.ts";
import type { Execute } from "../core/define.ts";
import { spaceTarget } from "../core/space-target.ts";
import { postNotice } from "../messages/post-notice.ts";
import { storedArgs } from "./stored-args.ts";

/**
 * A person allowed more than one call of a run: the same call again, or any call of the tool on the same file. This is
 * stored as a notice in the space of the run, so that everybody there can read it. Its idempotency key names the run, so
 * that it ends with the run. A rule in the file counts from the next run on, so it needs this for the present one.
 */
export async function allowForRun(ctx: Execute, approval: ApprovalRecord, scope: "run" | "always"): Promise<void> {
  const { run, agent, tool, digest, space } = approval;
  const { path } = callRequest(tool, storedArgs(approval));
  const key = path === undefined ? callKey(run, digest) : fileKey(run, tool, path);
  if ((await ctx.store.messages.byIdempotencyKey(SYSTEM, key)) !== undefined) return;
  const what = path === undefined ? `make this call of ${tool}` : `use ${tool} on ${path}`;
  const howLong = scope === "run" ? "again until its run ends" : "from now on, by a rule in its file";
  await postNotice(ctx, spaceTarget(space), `${agent} may ${what} ${howLong}.`, key, run);
}

/** Whether a person allowed this call for the whole run. */
export async function isAllowedForRun(
  { store }: Execute,
  run: string,
  { tool, args, digest }: { readonly tool: string; readonly args: unknown; readonly digest: string },
): Promise<boolean> {
  const { path } = callRequest(tool, args);
  const keys = [callKey(run, digest), ...(path === undefined ? [] : [fileKey(run, tool, path)])];
  for (const key of keys) if ((await store.messages.byIdempotencyKey(SYSTEM, key)) !== undefined) return true;
  return false;
}

function callKey(run: string, digest: string): string {
  return `allowed ${run} call ${digest}`;
}

function fileKey(run: string, tool: string, path: string): string {
  return `allowed ${run} file ${tool} ${path}`;
}
