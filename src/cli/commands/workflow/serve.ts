import { EXIT } from "../../../contract/service/errors.ts";
import { defineCommand } from "../../command.ts";
import { interruption } from "../../interruption.ts";
import { Refused } from "../../output/refused.ts";
import { reportResult } from "../../output/report-result.ts";
import { agentRequest, RUN_OPTIONS, RUN_REST, RUN_WORDS, workflowRequest } from "../../arguments/run-arguments.ts";
import { visibleText } from "../../output/visible-text.ts";

export const serve = defineCommand({
  about: "Runs a workflow, or asks one agent, and prints nothing but the last answer. For scripts; run shows more.",
  words: RUN_WORDS,
  rest: RUN_REST,
  options: RUN_OPTIONS,
  examples: ['agent-worker serve alice "Summarise the open work in one sentence."', "agent-worker serve review --json"],

  async run(invocation) {
    const { terminal, json } = invocation;
    const workRequest = await workflowRequest(invocation);
    const client = await invocation.client();
    using interrupted = interruption();
    const { signal } = interrupted;
    try {
      let served = await client.serve(workRequest, signal);
      if (!served.ok && served.error.code === "not_found") {
        const asked = await agentRequest(invocation, workRequest);
        if (asked !== undefined) served = await client.serve(asked, signal);
      }
      if (!served.ok) throw new Refused(served.error);
      const { value: end } = served;
      invocation.answer(end, () => (end.content === "" ? "" : `${visibleText(end.content).trimEnd()}\n`));
      return reportResult(terminal, end, json);
    } catch (error) {
      if (!signal.aborted) throw error;
      terminal.note("\nNo longer waiting; the work goes on. See it with: agent-worker ls\n");
      return EXIT.interrupted;
    }
  },
});
