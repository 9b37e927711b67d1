import { EXIT } from "../../../contract/service/errors.ts";
import { textArgument } from "../../arguments/text-argument.ts";
import { defineCommand, type CommandGroup } from "../../command.ts";
import { paintFor } from "../../output/paint.ts";
import { formatTable } from "../../output/table.ts";

const list = defineCommand({
  about:
    "Lists the files that say what a project is: agents, workflows, their prompts, and the project file (moniro.yaml).",
  words: [],
  examples: ["agent-worker definition list"],

  async run({ terminal, call, print }) {
    const listed = await call("list-definition-files", {});
    const rows = listed.files.map(({ file, kind, name, problems }) => [file, kind, name ?? "", String(problems)]);
    return print(listed, () => formatTable(paintFor(terminal), ["FILE", "KIND", "OF", "PROBLEMS"], rows));
  },
});

const read = defineCommand({
  about: "Prints a definition file. With --json also its revision, which a write needs.",
  words: ["FILE"],
  examples: ["agent-worker definition read .agents/alice.yaml"],

  async run({ words: [file = ""], call, print }) {
    const found = await call("read-definition-file", { file });
    return print(found, () => found.text.replace(/(?<!\n)$/, "\n"));
  },
});

const check = defineCommand({
  about: "Says what would be wrong if a definition file had this text. Exit code 2: there is an error.",
  words: ["FILE", "TEXT|-"],
  examples: ["agent-worker definition check .agents/alice.yaml - < draft.yaml"],

  async run({ words: [file = "", text = ""], terminal, call, print }) {
    const checked = await call("check-definition-file", { file, text: await textArgument(text, terminal) });
    print(checked, () =>
      checked.problems
        .map(({ severity, line, column, message }) => `${file}:${line}:${column} ${severity}: ${message}\n`)
        .join(""),
    );
    return checked.problems.some(({ severity }) => severity === "error") ? EXIT.usage : EXIT.ok;
  },
});

const write = defineCommand({
  about: [
    "Replaces a definition file, or makes a new one. With --revision it is refused when somebody wrote in between; without,",
    "only a new file is made. A text with mistakes is refused.",
  ].join("\n"),
  words: ["FILE", "TEXT|-"],
  options: { revision: { value: "REVISION", about: "The revision you read, from `definition read --json`" } },
  examples: ["agent-worker definition write .workflows/review.yaml - < review.yaml"],

  async run({ words: [file = "", text = ""], options: { revision = null }, terminal, call, print }) {
    const content = await textArgument(text, terminal);
    const written = await call("write-definition-file", { file, text: content, revision });
    return print(written, written.changed ? `Wrote ${written.file}.\n` : `Nothing was changed in ${written.file}.\n`);
  },
});

export const definition: CommandGroup = {
  about: "Definition files: what says who the agents are and how they work together.",
  entries: [
    { name: "list", summary: "List the definition files", load: async () => list },
    { name: "read", summary: "Print a definition file", load: async () => read },
    { name: "check", summary: "Check a text before it is written", load: async () => check },
    { name: "write", summary: "Replace or make a definition file", load: async () => write },
  ],
};
