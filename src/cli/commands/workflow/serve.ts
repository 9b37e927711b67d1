import { EXIT } from "../../../contract/service/errors.ts";
import { SERVE_WAIT_LIMIT_MS } from "../../../contract/service/work-request.ts";
import {
  agentRequest,
  RUN_OPTIONS,
  RUN_REST,
  RUN_WORDS,
  WAIT_LIMIT,
  waitLimit,
  withVariables,
  workflowRequest,
} from "../../arguments/run-arguments.ts";
import { defineCommand } from "../../command.ts";
import { interruption } from "../../follow/interruption.ts";
import { noteWaiting } from "../../follow/note-waiting.ts";
import { watchRequest } from "../../follow/watch-request.ts";
import { reportResult } from "../../output/report-result.ts";
import { refusedBy } from "../../refused.ts";

export const serve = defineCommand({
  about: [
    "Runs a workflow, or asks one agent, and prints nothing but the last answer. For scripts; run shows more.",
    "When it can only wait, for quota or an approval, and for longer than --wait-limit (10m), it ends as parked.",
  ].join("\n"),
  words: RUN_WORDS,
  namesFile: true,
  rest: RUN_REST,
  options: { ...RUN_OPTIONS, ...WAIT_LIMIT },
  examples: ['agent-worker serve alice "Summarise the open work in one sentence."', "agent-worker serve review --json"],

  async run(invocation) {
    const { options, terminal, json } = invocation;
    const waitLimitMs = waitLimit(options) ?? SERVE_WAIT_LIMIT_MS;
    const typed = { ...(await workflowRequest(invocation)), waitLimitMs };
    const client = await invocation.client();
    const request = await withVariables(client, typed, terminal.env);
    using interrupted = interruption();
    const show = noteWaiting(terminal, json);
    let watched = await watchRequest(client, request, show, interrupted.signal);
    if (watched.kind === "refused" && !watched.began && watched.error.code === "not_found") {
      const toAgent = await agentRequest(invocation, request, refusedBy(watched.error));
      watched = await watchRequest(client, toAgent, show, interrupted.signal);
    }
    switch (watched.kind) {
      case "done": {
        const { result } = watched;
        invocation.print(result, () => (result.content === "" ? "" : `${result.content.trimEnd()}\n`));
        return reportResult(terminal, result, json);
      }
      case "refused":
        throw refusedBy(watched.error);
      case "interrupted":
        terminal.note("\nNo longer waiting; the work goes on. See it with: agent-worker ls\n");
        return EXIT.interrupted;
    }
  },
});
