/** The note on every generated page. */
export const GENERATED_NOTE = "Made by `node scripts/write-reference.ts` from the program itself; do not edit.";
