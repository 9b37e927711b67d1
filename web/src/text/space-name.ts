/** Returns the name of a space for people, without the default tag. */
export function spaceName(space: string): string {
  return space.replace(/:main(?=$|~|\/)/, "");
}

/** Returns the space without the number of an earlier instance. */
export function currentSpace(space: string): string {
  return space.replace(/~\d+$/, "");
}

/** Returns the workspace of a sub-space; any other space as it is. */
export function workspaceOf(space: string): string {
  return space.replace(/^(@[^/]*)\/[^~]*/, "$1");
}
