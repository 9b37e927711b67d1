import { DEFAULT_TAG } from "../names.ts";

/**
 * A workspace is a running instance of a workflow, identified by `workflow:tag`. An open workspace accepts messages; a
 * closed one can only be read. When it is opened again, its channel continues.
 */
export interface WorkspaceRef {
  readonly workflow: string;
  readonly tag: string;
}

/** For people: the default tag is left out. */
export function displayWorkspace(ref: WorkspaceRef): string {
  return ref.tag === DEFAULT_TAG ? ref.workflow : `${ref.workflow}:${ref.tag}`;
}
