/** Stands on every page that is made and not written. */
export const MADE = "Made by `node scripts/write-reference.ts` from the program itself; do not edit.";
