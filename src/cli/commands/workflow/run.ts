import { EXIT } from "../../../contract/service/errors.ts";
import { defineCommand } from "../../command.ts";
import { interruption } from "../../interruption.ts";
import { reportResult } from "../../output/report-result.ts";
import { agentRequest, RUN_OPTIONS, RUN_REST, RUN_WORDS, workflowRequest } from "../../arguments/run-arguments.ts";
import { refusedBy } from "../../output/refused.ts";
import { spaceLabel } from "../../output/format-space.ts";
import { showRunEvents } from "../../output/transcript.ts";
import { showRequest } from "../../follow/watch-request.ts";

export const run = defineCommand({
  about: [
    "Runs a workflow, or asks one agent, and shows what is said and done until nothing is left to do.",
    "Ctrl-C only stops the watching. Exit code 1: something could not be answered.",
  ].join("\n"),
  words: RUN_WORDS,
  rest: RUN_REST,
  options: {
    ...RUN_OPTIONS,
    verbose: { short: "v", about: "Also show steps, whole arguments and what tools answer" },
  },
  examples: [
    "agent-worker run review --tag pr-12 -- base=main",
    'agent-worker run alice "What is left to do?"',
    "git diff | agent-worker run review.yaml -",
  ],

  async run(invocation) {
    const { options, terminal, json } = invocation;
    const workRequest = await workflowRequest(invocation);
    const client = await invocation.client();
    using interrupted = interruption();
    const show = showRunEvents(terminal, { json, verbose: options.verbose });
    let watched = await showRequest(client, workRequest, show, interrupted.signal);
    if (watched.kind === "refused" && !watched.began && watched.error.code === "not_found") {
      const asked = await agentRequest(invocation, workRequest);
      if (asked !== undefined) watched = await showRequest(client, asked, show, interrupted.signal);
    }
    switch (watched.kind) {
      case "done":
        return reportResult(terminal, watched.end, json);
      case "refused":
        throw refusedBy(watched.error);
      case "left":
        terminal.note(`\n${leftText(watched.space)}\n`);
        return EXIT.interrupted;
    }
  },
});

function leftText(space: string | undefined): string {
  if (space === undefined) return "No longer watching; the work goes on. See it with: agent-worker ls";
  return `No longer watching; the work goes on. Follow it with: agent-worker peek ${spaceLabel(space)} --follow`;
}
