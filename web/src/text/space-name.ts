/** What people call a space: the usual tag is left out. */
export function spaceName(space: string): string {
  return space.replace(/:main$/, "");
}
