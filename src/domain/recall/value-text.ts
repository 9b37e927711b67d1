/** What an entry of memory says, as a text: what is found by, shown, and compared. */
export function valueText({ value }: { readonly value: unknown }): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
