import { actionWords } from "../../arguments/action-words.ts";
import { oneOf } from "../../arguments/one-of.ts";
import { wholeNumber } from "../../arguments/whole-number.ts";
import { defineCommand } from "../../command.ts";
import { markedText } from "../../output/untrusted-mark.ts";
import { visibleLine } from "../../output/visible-text.ts";

export const agentTodo = defineCommand({
  about: ["Lists what an agent has to do, or with an action:", "  add TEXT, done NUMBER"].join("\n"),
  words: ["NAME", "[ACTION]", "[TEXT]"],
  options: { all: { short: "a", about: "Also what is done" } },
  examples: [
    "agent-worker agent todo alice",
    'agent-worker agent todo alice add "Review the login"',
    "agent-worker agent todo alice done 1",
  ],

  async run(invocation) {
    const { options, words } = invocation;
    const [agent = "", action] = words;
    if (action === undefined) {
      const { todos } = await invocation.call("list-todos", { agent, all: options.all });
      const lines = todos.map(
        ({ number, text, done, outside }) =>
          `${done ? "  done" : `${number}`.padStart(6)}  ${markedText(visibleLine(text), outside)}\n`,
      );
      return invocation.print({ agent, todos }, () => lines.join("") || `${agent} has nothing to do.\n`);
    }
    if (oneOf("ACTION", action, ["add", "done"]) === "add") {
      const [text] = actionWords(words, ["NAME", "add", "TEXT"]);
      const added = await invocation.call("add-todo", { agent, text });
      return invocation.print(added, () => `Added as ${added.todo.number}: ${visibleLine(added.todo.text)}\n`);
    }
    const [number] = actionWords(words, ["NAME", "done", "NUMBER"]);
    const finished = await invocation.call("finish-todo", { agent, number: wholeNumber("NUMBER", number) });
    return invocation.print(finished, () => `Done: ${visibleLine(finished.todo.text)}\n`);
  },
});
