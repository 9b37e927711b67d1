/** Returns the value of a memory entry as a text, to search, show and compare it. */
export function valueText({ value }: { readonly value: unknown }): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
