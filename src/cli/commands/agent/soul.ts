import { actionWords } from "../../arguments/action-words.ts";
import { oneOf } from "../../arguments/one-of.ts";
import { wholeNumber } from "../../arguments/whole-number.ts";
import { defineCommand } from "../../command.ts";
import { countOf } from "../../output/count-of.ts";
import { paintFor } from "../../output/paint.ts";
import { changeLine, describeSoul, proposalText, versionText } from "./soul-text.ts";

const ACTIONS = ["history", "proposals", "approve", "reject", "rollback", "observe"] as const;
const STATES = ["open", "approved", "rejected", "all"] as const;

export const agentSoul = defineCommand({
  about: [
    "Shows who an agent always is: the soul of its definition and what was learned on top. With an action:",
    "  history, proposals, approve ID, reject ID, rollback VERSION (0 is the definition alone), observe (look now)",
  ].join("\n"),
  words: ["NAME", "[ACTION]", "[ID]"],
  options: {
    reason: { value: "TEXT", about: "For approve, reject and rollback: why, kept with the decision" },
    state: { value: "STATE", about: "For proposals: open (default), approved, rejected or all" },
  },
  examples: [
    "agent-worker agent soul alice",
    "agent-worker agent soul alice proposals",
    "agent-worker agent soul alice approve sol_0123456789",
    "agent-worker agent soul alice rollback 1",
  ],

  async run(invocation) {
    const { words, options, call, print, terminal } = invocation;
    const [agent = "", action] = words;
    const { reason } = options;
    if (action === undefined) {
      const soul = await call("show-soul", { agent });
      return print(soul, () => describeSoul(paintFor(terminal), soul, terminal.hint));
    }
    switch (oneOf("ACTION", action, ACTIONS)) {
      case "history": {
        actionWords(words, ["NAME", "history"]);
        const listed = await call("list-soul-versions", { agent });
        return print(listed, () => {
          const edits = listed.edited.map((change) => `  ${changeLine(change)}\n`).join("");
          const byHand = edits === "" ? "" : `edited by hand since\n${edits}`;
          return `${listed.versions.map(versionText).join("")}${byHand}` || `${agent} has learned nothing yet.\n`;
        });
      }
      case "proposals": {
        actionWords(words, ["NAME", "proposals"]);
        const state = oneOf("--state", options.state, STATES);
        const listed = await call("list-soul-proposals", { agent, state });
        return print(listed, () => listed.proposals.map(proposalText).join("") || "Nothing is proposed.\n");
      }
      case "approve": {
        const [id] = actionWords(words, ["NAME", "approve", "ID"]);
        const approved = await call("approve-soul", { id, reason });
        return print(approved, `${approved.agent} has version ${approved.version} of its soul now.\n`);
      }
      case "reject": {
        const [id] = actionWords(words, ["NAME", "reject", "ID"]);
        const rejected = await call("reject-soul", { id, reason });
        return print(rejected, `Rejected ${rejected.id}. The soul of ${rejected.agent} is as it was.\n`);
      }
      case "rollback": {
        const [text] = actionWords(words, ["NAME", "rollback", "VERSION"]);
        const version = wholeNumber("VERSION", text);
        const made = await call("roll-back-soul", { agent, version, why: reason });
        return print(made, () => versionText(made.version));
      }
      case "observe": {
        actionWords(words, ["NAME", "observe"]);
        const observed = await call("observe-soul", { agent });
        return print(observed, () => {
          const found = observed.proposals.map(proposalText).join("");
          return found === ""
            ? "Nothing new was found.\n"
            : `${countOf(observed.proposals.length, "proposal")}:\n${found}`;
        });
      }
    }
  },
});
