import { defineCommand } from "../../command.ts";
import { showMessages } from "../../output/show-messages.ts";
import { UsageError } from "../../arguments/usage-error.ts";
import { wholeNumber } from "../../arguments/whole-number.ts";

export const peek = defineCommand({
  about: [
    "Shows what was said in a workspace (@review) or in the direct messages of an agent (alice), oldest first.",
    "It only looks: what waits for somebody goes on waiting. Without TARGET: the only workspace, or the only agent.",
  ].join("\n"),
  words: ["[TARGET]"],
  options: {
    limit: { short: "n", value: "N", about: "How many messages at most (50)" },
    since: { value: "NUMBER", about: "Only messages after this number" },
    before: { value: "NUMBER", about: "Only messages before this number" },
    find: { value: "TEXT", about: "Only messages that contain this text" },
    follow: { short: "f", about: "Go on with what comes, until Ctrl-C" },
  },
  examples: [
    "agent-worker peek @review -n 20",
    "agent-worker peek alice --follow",
    "agent-worker peek @review --before 120",
  ],

  async run(invocation) {
    const { options } = invocation;
    const { find, follow } = options;
    const limit = wholeNumber("--limit", options.limit);
    const since = wholeNumber("--since", options.since);
    const before = wholeNumber("--before", options.before);
    if (before !== undefined && follow) {
      throw new UsageError("--before looks back and --follow ahead.", "Give one of them.");
    }
    const target =
      invocation.words[0] ?? (await (await import("../../arguments/default-space.ts")).defaultSpace(invocation));
    const { messages } = await invocation.ask("peek-channel", { target, limit, since, before, find });
    if (!follow && invocation.json) return invocation.answer({ messages }, "");
    const isPart = (find ?? since ?? before) !== undefined;
    return showMessages(invocation, { target, messages, find, isPart, follow });
  },
});
