import { EXIT } from "../../../contract/service/errors.ts";
import type { RunEvent } from "../../../contract/service/work-request.ts";
import { RUN_OPTIONS, RUN_REST, withVariables, workflowRequest } from "../../arguments/run-arguments.ts";
import { UsageError } from "../../arguments/usage-error.ts";
import { defineCommand } from "../../command.ts";
import { followMessages } from "../../follow/follow-messages.ts";
import { interruption } from "../../follow/interruption.ts";
import { watchRequest } from "../../follow/watch-request.ts";
import { isAllStopped } from "../../output/all-stopped.ts";
import { answersElsewhere } from "../../output/answers-elsewhere.ts";
import { formatSpace } from "../../output/format-space.ts";
import { showRunEvents } from "../../output/show-run-events.ts";
import { refusedBy } from "../../refused.ts";
import { DEFAULT_TAG } from "../../../domain/names.ts";

export const start = defineCommand({
  about: [
    "Starts a workflow in the daemon and comes back after its setup and kickoff; it stays at work until it is stopped.",
    "With --foreground goes on showing what is said until Ctrl-C, which only stops the watching.",
  ].join("\n"),
  words: ["WORKFLOW|FILE", "[MESSAGE]"],
  namesFile: true,
  rest: RUN_REST,
  options: {
    ...RUN_OPTIONS,
    foreground: { about: "Stay and show what is said" },
    background: { about: "Come back at once, as it does anyway" },
    verbose: { short: "v", about: "Also show the output of setup, steps and what tools answer" },
  },
  examples: ["agent-worker start review --tag pr-12", "agent-worker start review.yaml --foreground -- base=main"],

  async run(invocation) {
    const { options, terminal, json } = invocation;
    if (options.foreground && options.background)
      throw new UsageError("--foreground and --background exclude each other.");
    const typed = await workflowRequest(invocation);
    const client = await invocation.client();
    const request = await withVariables(client, typed, terminal.env);
    const wasStopped = await isAllStopped(invocation);
    using interrupted = interruption();
    const { signal } = interrupted;
    const visible = options.foreground || options.verbose;
    const show = visible ? showRunEvents(terminal, { json, verbose: options.verbose }) : () => {};
    let since: number | undefined;
    const onEvent = (event: RunEvent): void => {
      if (event.type === "message") since = event.seq;
      if (event.type !== "done") show(event);
    };
    const watched = await watchRequest(client, { ...request, until: "started" }, onEvent, signal);
    if (watched.kind === "refused" && watched.error.code === "conflict" && wasStopped) {
      const { workspaces } = await invocation.call("list-workspaces", { state: "open" });
      const tag = request.tag ?? DEFAULT_TAG;
      const there = workspaces.find((each) => each.workflow === request.workflow && each.tag === tag);
      if (there !== undefined) {
        const { space, participants } = there;
        const follow = `agent-worker peek ${formatSpace(space)} --follow`;
        return invocation.print(
          { space, participants, outcome: null, warnings: [] },
          `${formatSpace(space)} goes on, after stop --all. Follow it with: ${follow}\n`,
        );
      }
    }
    if (watched.kind === "refused") throw refusedBy(watched.error);
    if (watched.kind === "interrupted") {
      terminal.note("\nNo longer watching; the start goes on. See it with: agent-worker ls\n");
      return EXIT.interrupted;
    }
    const { space, participants, outcome, hint, warnings = [] } = watched.result;
    const name = formatSpace(space);
    if (!json) for (const note of visible ? [] : warnings) terminal.note(`${note}\n`);
    if (!json && hint !== null) terminal.note(`${hint}\n`);
    if (!options.foreground) {
      const { channel, members } = await invocation.call("show-workspace", { target: space });
      const follow = channel
        ? `Follow it with: agent-worker peek ${name} --follow`
        : `${answersElsewhere(members)} Follow one with: agent-worker peek ${members[0]?.ref ?? members[0]?.agent} --follow`;
      return invocation.print(
        { space, participants, outcome, warnings },
        `Started ${name} with ${participants.join(", ")}. ${follow}\n`,
      );
    }
    since ??= (await invocation.call("peek-channel", { target: space, limit: 1 })).messages.at(-1)?.seq ?? 0;
    for await (const message of followMessages(client, { target: space, since }, signal)) {
      show({ type: "message", ...message });
    }
    terminal.note(`\nNo longer watching; ${name} stays at work. Stop it with: agent-worker stop ${name}\n`);
    return EXIT.interrupted;
  },
});
