import type { MessageView } from "../../../contract/messages.ts";
import { EXIT } from "../../../contract/service/errors.ts";
import { systemClock } from "../../../kernel/clock.ts";
import { defaultSpace } from "../../arguments/default-target.ts";
import { EARLIER } from "../../arguments/option.ts";
import { UsageError } from "../../arguments/usage-error.ts";
import { wholeNumber } from "../../arguments/whole-number.ts";
import { defineCommand } from "../../command.ts";
import { interruption } from "../../follow/interruption.ts";
import type { Invocation } from "../../invocation.ts";
import { answersElsewhere } from "../../output/answers-elsewhere.ts";
import { messageLines } from "../../output/message-lines.ts";

export const peek = defineCommand({
  about: [
    "Shows what was said in a workspace (@review) or in the direct messages of an agent (alice), oldest first.",
    "It only looks: what waits for somebody goes on waiting. Without TARGET: the only workspace, or the only agent.",
  ].join("\n"),
  words: ["[TARGET]"],
  options: {
    to: { value: "TARGET", about: "The same as TARGET" },
    limit: { short: "n", value: "N", about: "How many messages at most (50)" },
    since: { value: "NUMBER", about: "Only messages after this number" },
    before: { value: "NUMBER", about: "Only messages before this number" },
    find: { value: "TEXT", about: "Only messages that contain this text" },
    earlier: EARLIER,
    follow: { short: "f", about: "Go on with what comes, until Ctrl-C" },
  },
  examples: [
    "agent-worker peek @review -n 20",
    "agent-worker peek alice --follow",
    "agent-worker peek @review --before 120",
    "agent-worker peek @review --earlier 1",
  ],

  async run(invocation) {
    const { words, options, terminal, json, call } = invocation;
    const { find, follow } = options;
    const limit = wholeNumber("--limit", options.limit);
    const since = wholeNumber("--since", options.since);
    const before = wholeNumber("--before", options.before);
    if (before !== undefined && follow) {
      throw new UsageError("--before looks back and --follow ahead.", "Give one of them.");
    }
    if (words[0] !== undefined && options.to !== undefined) {
      throw new UsageError("TARGET and --to mean the same; give one.");
    }
    const earlier = wholeNumber("--earlier", options.earlier);
    if (earlier !== undefined && follow) throw new UsageError("Nothing more comes in an earlier instance.");
    const target = words[0] ?? options.to ?? (await defaultSpace(invocation));
    const { messages } = await call("peek-channel", { target, limit, since, before, find, earlier });
    if (!follow && json) return invocation.print({ messages }, "");
    const lines = messageLines(terminal, systemClock.now());
    // One JSON object per line, because a list that is followed has no end.
    const show = (page: readonly MessageView[]): void =>
      terminal.print(json ? page.map((message) => `${JSON.stringify(message)}\n`).join("") : lines(page));
    using interrupted = follow ? interruption() : undefined;
    show(messages);
    if (interrupted === undefined) {
      const isFiltered = (find ?? since ?? before) !== undefined;
      const none = isFiltered ? `Nothing like that was said in ${target}.` : `Nothing was said in ${target} yet.`;
      if (messages.length === 0) terminal.note(`${none}\n`);
      const isAnswered = messages.some(({ kind, from }) => kind === "message" && from !== "user");
      if (target.startsWith("@") && earlier === undefined && !isAnswered)
        await noteAnswersElsewhere(invocation, target);
      return EXIT.ok;
    }
    const { followMessages } = await import("../../follow/follow-messages.ts");
    const from = { target, since: messages.at(-1)?.seq ?? 0, find };
    for await (const message of followMessages(await invocation.client(), from, interrupted.signal)) show([message]);
    return EXIT.interrupted;
  },
});

async function noteAnswersElsewhere({ client, terminal }: Invocation, target: string): Promise<void> {
  const shown = await (await client()).call("show-workspace", { target });
  if (shown.ok && !shown.value.channel) terminal.note(`${answersElsewhere(shown.value.members)}\n`);
}
