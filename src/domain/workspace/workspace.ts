import { earlierKey } from "./instance.ts";
import { displayTag } from "./sub-space.ts";

/**
 * A workspace is a started workflow, identified by `workflow:tag`. An open workspace accepts messages; a closed one can
 * only be read. `instance.ts` says what is there when it is opened again.
 */
export interface WorkspaceRef {
  readonly workflow: string;
  readonly tag: string;
  /** The number of an earlier instance. With `earlier: false`, that of the current one. */
  readonly instance?: number;
  readonly earlier?: boolean;
}

/** For people: the default tag is left out. An earlier instance has its number. */
export function displayWorkspace({ workflow, tag, ...ref }: WorkspaceRef): string {
  const name = `${workflow}${displayTag(tag)}`;
  return ref.instance !== undefined && isEarlier(ref) ? earlierKey(name, ref.instance) : name;
}

export function isEarlier({
  instance,
  earlier = instance !== undefined,
}: Omit<WorkspaceRef, "workflow" | "tag">): boolean {
  return earlier;
}
