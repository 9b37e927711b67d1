import { DEFAULT_TAG } from "../names.ts";

/**
 * A workspace is a running instance of a workflow, known by `workflow:tag`. Open, it takes messages; closed, it can only
 * be read. It may be opened again, and goes on with its channel.
 */
export interface WorkspaceRef {
  readonly workflow: string;
  readonly tag: string;
}

/** For people: the default tag is left out. */
export function displayWorkspace(ref: WorkspaceRef): string {
  return ref.tag === DEFAULT_TAG ? ref.workflow : `${ref.workflow}:${ref.tag}`;
}
