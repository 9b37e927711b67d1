import type { MessageView } from "../../../../src/contract/messages.ts";

/** Whether a person asked again with it: then its text is the prompt of an earlier run, and not the person's words. */
export function isRepeatedQuestion({ from, run, kind }: Pick<MessageView, "from" | "run" | "kind">): boolean {
  return from === "user" && run !== null && kind === "message";
}
