import { EXIT } from "../../../contract/service/errors.ts";
import { agentRequest, RUN_OPTIONS, RUN_REST, RUN_WORDS, workflowRequest } from "../../arguments/run-arguments.ts";
import { defineCommand } from "../../command.ts";
import { interruption } from "../../follow/interruption.ts";
import { reportResult } from "../../output/report-result.ts";
import { Refused } from "../../refused.ts";

export const serve = defineCommand({
  about: "Runs a workflow, or asks one agent, and prints nothing but the last answer. For scripts; run shows more.",
  words: RUN_WORDS,
  namesFile: true,
  rest: RUN_REST,
  options: RUN_OPTIONS,
  examples: ['agent-worker serve alice "Summarise the open work in one sentence."', "agent-worker serve review --json"],

  async run(invocation) {
    const { terminal, json } = invocation;
    const request = await workflowRequest(invocation);
    const client = await invocation.client();
    using interrupted = interruption();
    const { signal } = interrupted;
    try {
      let served = await client.serve(request, signal);
      if (!served.ok && served.error.code === "not_found") {
        const toAgent = await agentRequest(invocation, request);
        if (toAgent !== undefined) served = await client.serve(toAgent, signal);
      }
      if (!served.ok) throw new Refused(served.error);
      const { value: result } = served;
      invocation.print(result, () => (result.content === "" ? "" : `${result.content.trimEnd()}\n`));
      return reportResult(terminal, result, json);
    } catch (error) {
      if (!signal.aborted) throw error;
      terminal.note("\nNo longer waiting; the work goes on. See it with: agent-worker ls\n");
      return EXIT.interrupted;
    }
  },
});
