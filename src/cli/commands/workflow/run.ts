import { EXIT } from "../../../contract/service/errors.ts";
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
import { offerStop } from "../../follow/offer-stop.ts";
import { watchWork } from "../../follow/watch-work.ts";
import { worktreeLines } from "../../output/worktree-lines.ts";
import { formatSpace } from "../../output/format-space.ts";
import { reportResult } from "../../output/report-result.ts";
import { refusedBy } from "../../refused.ts";

export const run = defineCommand({
  about: [
    "Runs a workflow, or asks one agent, and shows what is said and done until nothing is left to do: on a terminal word",
    "by word, with a line that says who works and what waits while nothing is said.",
    "It says when it has to wait, for quota or an approval, and goes on waiting; at a terminal it asks you in place, and ends",
    "with a summary. Ctrl-C only stops the watching, and says how to stop the work; a second one at once stops it.",
    "Exit code 0: everything was answered, or deliberately left unanswered. Exit code 1: not everything.",
  ].join("\n"),
  words: RUN_WORDS,
  namesFile: true,
  rest: RUN_REST,
  options: {
    ...RUN_OPTIONS,
    ...WAIT_LIMIT,
    verbose: { short: "v", about: "Also show steps, whole arguments and what tools answer" },
    quiet: { short: "q", about: "No status, no questions and no summary at a terminal" },
  },
  examples: [
    "agent-worker run review --tag pr-12 -- base=main",
    'agent-worker run alice "What is left to do?"',
    "git diff | agent-worker run review.yaml -",
  ],

  async run(invocation) {
    const { options, terminal, json } = invocation;
    const typed = { ...(await workflowRequest(invocation)), waitLimitMs: waitLimit(options) };
    const client = await invocation.client();
    const request = await withVariables(client, typed, terminal.env);
    using interrupted = interruption();
    const { verbose, quiet } = options;
    const work = watchWork(client, terminal, { json, verbose, quiet }, interrupted.signal);
    let watched = await work.watch(request);
    let agent: string | undefined;
    if (watched.kind === "refused" && !watched.began && watched.error.code === "not_found") {
      const toAgent = await agentRequest(invocation, request, refusedBy(watched.error));
      if ("agent" in toAgent) ({ agent } = toAgent);
      watched = await work.watch(toAgent);
    }
    switch (watched.kind) {
      case "done": {
        if (!json) for (const line of await worktreeLines(client, watched.result.space)) terminal.note(`${line}\n`);
        const exit = reportResult(terminal, watched.result, json);
        await work.summarize(watched.result);
        return exit;
      }
      case "refused":
        throw refusedBy(watched.error);
      case "interrupted": {
        const { space } = watched;
        const workspace = space?.startsWith("@") === true ? formatSpace(space) : undefined;
        const stop = workspace === undefined ? { agents: agent === undefined ? [] : [agent] } : { workspace };
        await offerStop(client, terminal, { stop, follow: stillRunningText(space) });
        return EXIT.interrupted;
      }
    }
  },
});

function stillRunningText(space: string | undefined): string {
  if (space === undefined) return "No longer watching; the work goes on. See it with: agent-worker ls";
  return `No longer watching; the work goes on. Follow it with: agent-worker peek ${formatSpace(space)} --follow`;
}
