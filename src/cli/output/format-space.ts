/** Returns a space without the default tag, as people write it. */
export function formatSpace(space: string): string {
  return space.replace(/:main(?=$|~|\/)/, "");
}
