import { teamTool } from "../tools/team-tool.ts";
import { submitFeedback } from "./submit-feedback.ts";

/** Offered only to agents whose definition names it among its tools. */
export const feedbackTools = [
  teamTool({
    name: "feedback_submit",
    description: submitFeedback.summary,
    input: submitFeedback.input.shape,
    uses: [submitFeedback],
    returnsUntrusted: false,
    call: (args, ask) => ask(submitFeedback, args, ({ id }) => `Noted as ${id}. Thank you.`),
  }),
];
