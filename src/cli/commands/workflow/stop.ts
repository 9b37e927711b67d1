import { UsageError } from "../../arguments/usage-error.ts";
import { defineCommand } from "../../command.ts";
import { stoppedText } from "../../follow/stopped-text.ts";
import { Refused } from "../../refused.ts";

export const stop = defineCommand({
  about: [
    "Stops a workspace (@review): its agents leave, what was said and written stays; @review/NAME closes a space of it.",
    "Stops an agent (alice, or helper@review): it breaks off what it does, and goes on when something new comes for it.",
    "What it was to answer waits until then: drop it with inbox alice --drop.",
    "With --all stops the daemon, and everything stays stopped: commands that only look start no work. A project goes on",
    "with its next run, start or send, and all of them with: agent-worker daemon start",
  ].join("\n"),
  words: ["[TARGET]"],
  options: {
    all: { about: "Stop the daemon and everything in it" },
    reason: { value: "TEXT", about: "Said in the channel of a workspace that is stopped" },
  },
  examples: ["agent-worker stop @review:pr-12", "agent-worker stop alice", "agent-worker stop --all"],

  async run(invocation) {
    const { words, options } = invocation;
    const [target] = words;
    if (options.all) {
      if (target !== undefined) throw new UsageError("--all takes no target.");
      return (await import("../daemon/stop.ts")).stopEverything(invocation);
    }
    if (target === undefined) throw new UsageError("TARGET is missing.", "Name a workspace or an agent, or say --all.");
    if (target.startsWith("@")) {
      const closed = await invocation.call("close-workspace", { target, reason: options.reason });
      const { name, workflow, tag } = closed;
      if (tag.includes("/")) return invocation.print(closed, `Closed the space @${name}.\n`);
      const { workflows } = await invocation.call("list-workflows", {});
      const again = `agent-worker start ${workflow}${tag === "main" ? "" : ` --tag ${tag}`}`;
      const canStart = workflows.some((each) => each.name === workflow);
      const next = canStart ? ` Begin anew with: ${again}, or go on with --continue.` : "";
      return invocation.print(closed, `Stopped @${name}.${next}\n`);
    }
    if (options.reason !== undefined) throw new UsageError("--reason is for workspaces: stop @WORKFLOW.");
    const client = await invocation.client();
    const stopped = await client.stopAgent(target);
    if (!stopped.ok) throw new Refused(stopped.error);
    return invocation.print({ agent: target, state: "stopped" }, await stoppedText(client, target));
  },
});
