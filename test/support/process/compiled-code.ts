import { join } from "node:path";

/** The same folder as the launcher's: a program that compiles everything anew takes a second longer to start. */
export const COMPILED = join(import.meta.dirname, "../../../node_modules/.cache/agent-worker/compiled");
