import { z } from "zod";
import { ok } from "../../kernel/result.ts";
import { teamTool } from "../tools/team-tool.ts";

/** Ends a turn without a message. It calls no operation: the runtime detects the call and posts nothing. */
export const SILENCE_TOOL = "no_action";

export const runTools = [
  teamTool({
    kind: "silence",
    name: SILENCE_TOOL,
    description: "End this turn without saying anything. Use it whenever a message would not move the work.",
    input: { reason: z.string().max(1000).describe("Why nothing has to be said or done, in a few words.") },
    uses: [],
    returnsUntrusted: false,
    call: ({ reason }) =>
      Promise.resolve(ok({ text: "The turn ends in silence. Write nothing more.", data: { reason } })),
  }),
];
