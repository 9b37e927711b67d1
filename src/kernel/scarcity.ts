/** Codes of system errors that say: this machine has no descriptor, process or memory left at the moment. */
export const SCARCITY_CODES: ReadonlySet<string> = new Set(["EMFILE", "ENFILE", "EAGAIN", "ENOMEM"]);

const MOST_CAUSES = 8;

/** Returns whether the error, or what caused it, is such a lack. It ends by itself, and no message is to blame. */
export function isScarcity(error: unknown): boolean {
  for (let each = error, left = MOST_CAUSES; each instanceof Error && left > 0; each = each.cause, left -= 1) {
    if ("code" in each && SCARCITY_CODES.has(String(each.code))) return true;
    // Node reads `package.json` to import a module, and says so only in words when it cannot.
    if (/too many open files/i.test(each.message)) return true;
  }
  return false;
}
