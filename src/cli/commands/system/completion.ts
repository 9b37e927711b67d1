import { oneOf } from "../../arguments/one-of.ts";
import { defineCommand, type Command, type CommandEntry } from "../../command.ts";
import { completionPoints } from "./completion-points.ts";
import { completionScript, SHELLS } from "./completion-script.ts";

/** The table is a parameter because it contains this command. */
export function completionOf(table: () => readonly CommandEntry[]): Command {
  return defineCommand({
    about: "Prints a script that completes our commands and options in your shell.",
    words: [SHELLS.join("|")],
    examples: ["source <(agent-worker completion bash)", "agent-worker completion fish | source"],

    async run({ words: [name = ""], print }) {
      const shell = oneOf("The shell", name, SHELLS);
      const script = completionScript(shell, await completionPoints(table()));
      return print({ shell, script }, script);
    },
  });
}
