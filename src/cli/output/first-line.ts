import { shortened } from "./visible-text.ts";

const LONGEST = 100;

/** The beginning of a text that others wrote, on one line of a list. */
export function firstLine(text: string): string {
  return shortened(text, LONGEST);
}
