import type { OperationOutput } from "../../../contract/operations.ts";
import { wholeNumber } from "../../arguments/whole-number.ts";
import { defineCommand } from "../../command.ts";
import { formatSpace } from "../../output/format-space.ts";
import { grantText } from "../../output/grant-text.ts";

const REASON = { value: "TEXT", about: "Say this with it in the channel; @name in it wakes that agent" } as const;

export const grant = defineCommand({
  about: [
    "Gives an agent tools of the team, or own proposals of the project, by a message in its channel: it has them in its",
    "next step, also while it works.",
    "They are its own until you take them back, or until the workspace begins anew. With --hand-on it may give them to",
    "others, too. What its definition denies stays denied, and tools that act on this machine are in its definition only.",
    "Without TOOL it lists what the agent, or everybody in @WORKFLOW, has by grants.",
  ].join("\n"),
  words: ["[AGENT]", "[TOOL...]"],
  options: {
    reason: REASON,
    "hand-on": { about: "It may give them to others" },
    at: { value: "NUMBER", about: "With a list: what was granted after this message" },
  },
  examples: ["agent-worker grant alice@review rule_add rule_list", "agent-worker grant @review"],

  async run({ words: [agent, ...tools], options, call, print }) {
    if (agent === undefined || tools.length === 0) {
      const listed = await call("list-grants", { target: agent, at: wholeNumber("--at", options.at) });
      return print(listed, () => listed.grants.map(grantLine).join("") || "Nothing is granted.\n");
    }
    const { reason, "hand-on": handOn } = options;
    const changed = await call("grant-tools", { agent, tools, reason, handOn });
    return print(changed, () => changeText(changed));
  },
});

export const revoke = defineCommand({
  about: [
    "Takes back tools that were granted, by a message in the channel. The agent loses them at once, and so does everybody",
    "who got them from it. What its definition gives is not touched.",
  ].join("\n"),
  words: ["AGENT", "TOOL", "[TOOL...]"],
  options: { reason: REASON },
  examples: ["agent-worker revoke alice@review rule_add"],

  async run({ words: [agent = "", ...tools], options: { reason }, call, print }) {
    const changed = await call("revoke-tools", { agent, tools, reason });
    return print(changed, () => changeText(changed));
  },
});

function changeText({ agent, space, grants, also }: OperationOutput<"grant-tools">): string {
  const held = grants.map(grantText).join(", ") || "nothing";
  const place = space.startsWith("@") ? `in ${formatSpace(space)}` : "in its direct messages";
  const others = also.length === 0 ? "" : `${also.join(", ")} lost it too.\n`;
  return `By grants ${agent} has now ${place}: ${held}\n${others}`;
}

function grantLine(view: OperationOutput<"list-grants">["grants"][number]): string {
  const place = view.space.startsWith("@") ? formatSpace(view.space) : "";
  return `${view.agent}${place}  ${grantText(view)}\n`;
}
