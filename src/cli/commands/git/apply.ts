import { EXIT } from "../../../contract/service/errors.ts";
import { defineCommand } from "../../command.ts";
import { countOf } from "../../output/count-of.ts";
import { filesText } from "../../output/diff-text.ts";
import { paintFor } from "../../output/paint.ts";
import { onlyWorktree } from "./only-worktree.ts";

export const apply = defineCommand({
  about: [
    "Merges what agents did in their worktree into the branch that the project has checked out.",
    "Files that you changed and did not commit are never touched: it refuses then. With conflicts it shows them and",
    "changes nothing, unless --conflicts leaves them in your files or --to asks an agent to resolve them in its worktree.",
    "Exit code 0: applied, or nothing to apply. Exit code 1: there are conflicts.",
  ].join("\n"),
  words: ["[TARGET]"],
  options: {
    conflicts: { about: "Leave the conflicts in the project, as git merge does" },
    to: { value: "AGENT", about: "Let this agent resolve the conflicts, in a worktree" },
    protected: { about: "Also apply changes of files that only people write, such as .github/workflows" },
  },
  examples: ["agent-worker apply alice@fix", "agent-worker apply @fix --to bob"],

  async run(invocation) {
    const { options, terminal } = invocation;
    const target = await onlyWorktree(invocation);
    const { to, conflicts: leave } = options;
    const applied = await invocation.call("apply-worktree", {
      target,
      conflicts: leave,
      protected: options.protected,
      ...(to === undefined ? {} : { to }),
    });
    const { outcome, branch, files, conflicts, left } = applied;
    invocation.print(applied, () => {
      const paint = paintFor(terminal);
      switch (outcome) {
        case "nothing":
          return `The project has everything of ${branch} already.\n`;
        case "applied":
          return `Applied ${branch}: ${countOf(files.length, "file")}.\n${filesText(paint, files)}`;
        case "handed-over":
          return `${applied.to} was asked to resolve ${countOf(conflicts.length, "conflict")}. Afterwards: agent-worker apply ${applied.to}\n`;
        case "conflicts":
          return conflicts.map(({ path, text }) => `${paint.bold(path)}\n${painted(paint, text)}\n`).join("\n");
      }
    });
    if (outcome === "handed-over" && applied.to !== null && !invocation.json) {
      const { rests } = await invocation.call("show-agent", { name: applied.to });
      if (rests) {
        terminal.note(
          `${applied.to} rests: it can do more than you have allowed, so it begins after a yes: agent-worker trust\n`,
        );
      }
    }
    if (outcome !== "conflicts") return EXIT.ok;
    if (!invocation.json) {
      const what = `${countOf(conflicts.length, "file")} of ${branch} and of the project changed differently.`;
      terminal.note(
        left
          ? `${what} The conflicts are in your files: resolve them, then git add and git commit. To go back: git merge --abort\n`
          : `${what} Nothing was applied.\nResolve them yourself: agent-worker apply ${target} --conflicts\nOr let an agent do it: agent-worker apply ${target} --to AGENT\n`,
      );
    }
    return EXIT.failed;
  },
});

function painted({ bold, dim }: ReturnType<typeof paintFor>, text: string): string {
  return text
    .split("\n")
    .map((line) => (/^(?:<{7}|={7}|>{7})/u.test(line) ? bold(line) : line.startsWith("@@ ") ? dim(line) : line))
    .join("\n");
}
