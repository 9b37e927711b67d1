import { refuse } from "../../kernel/refusal.ts";

/** The answer to whoever still waits for an workRequest when the daemon goes. */
export const STOPPING = refuse("unavailable", "The daemon is stopping before the work is done.", {
  hint: "The work goes on when it is started again. What agents of this request only were doing is lost.",
});
