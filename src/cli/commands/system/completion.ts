import { oneOf } from "../../arguments/one-of.ts";
import { defineCommand, type Command, type CommandEntry } from "../../command.ts";
import { completionNames } from "./completion-names.ts";
import { completionPoints } from "./completion-points.ts";
import { completionScript, SHELLS } from "./completion-script.ts";

/** The table is a parameter because it contains this command. */
export function completionOf(table: () => readonly CommandEntry[]): Command {
  return defineCommand({
    about: [
      "Prints a script that completes commands, options and names in your shell: agents, workflows, workspaces, tags, ids.",
      "The script asks `completion names` for the names; without a daemon, those in files are offered.",
    ].join("\n"),
    words: [[...SHELLS, NAMES].join("|")],
    rest: "WORD ...",
    examples: ["source <(agent-worker completion bash)", "agent-worker completion fish | source"],

    async run(invocation) {
      const {
        words: [name = ""],
        rest,
        print,
      } = invocation;
      const asked = oneOf("The shell", name, [...SHELLS, NAMES]);
      if (asked === NAMES) {
        const names = await completionNames(invocation, table(), rest);
        return print({ names }, names.map((each) => `${each}\n`).join(""));
      }
      const script = completionScript(asked, await completionPoints(table()));
      return print({ shell: asked, script }, script);
    },
  });
}

const NAMES = "names";
