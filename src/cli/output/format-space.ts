/** A workspace as people write it: the default tag is left out. */
export function spaceLabel(space: string): string {
  return space.replace(/:main$/, "");
}
