/** Returns the name of a space for people, without the default tag. */
export function spaceName(space: string): string {
  return space.replace(/:main(?=$|~)/, "");
}
