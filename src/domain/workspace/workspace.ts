import { ok, type Result } from "../../kernel/result.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { DEFAULT_TAG, checkTag, checkWorkflowName } from "../names.ts";

/**
 * A workspace is a running instance of a workflow, known by `workflow:tag`. Open, it takes messages; closed, it can only
 * be read. It may be opened again, and goes on with its channel.
 */
export interface WorkspaceRef {
  readonly workflow: string;
  readonly tag: string;
}

export const WORKSPACE_STATES = ["open", "closed"] as const;
export type WorkspaceState = (typeof WORKSPACE_STATES)[number];

export function workspaceKey(ref: WorkspaceRef): string {
  return `${ref.workflow}:${ref.tag}`;
}

/** For people: the default tag is left out. */
export function displayWorkspace(ref: WorkspaceRef): string {
  return ref.tag === DEFAULT_TAG ? ref.workflow : workspaceKey(ref);
}

/**
 * Reads `review:pr-1`, or `review`, where the tag is null: some callers mean the default tag by that, others any
 * workspace of the workflow.
 */
export function parseWorkspace(text: string): Result<{ workflow: string; tag: string | null }, Refusal> {
  const colon = text.indexOf(":");
  const workflow = checkWorkflowName(colon === -1 ? text : text.slice(0, colon));
  if (!workflow.ok) return workflow;
  if (colon === -1) return ok({ workflow: workflow.value, tag: null });
  const tag = checkTag(text.slice(colon + 1));
  return tag.ok ? ok({ workflow: workflow.value, tag: tag.value }) : tag;
}
