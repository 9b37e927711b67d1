import { EARLIER, EXPECTED_SPACE, LIMIT } from "../../arguments/option.ts";
import { textArgument } from "../../arguments/text-argument.ts";
import { wholeNumber } from "../../arguments/whole-number.ts";
import { diffTexts } from "../../calls/line-diff.ts";
import { defineCommand, type CommandGroup } from "../../command.ts";
import { diffText } from "../../output/diff-text.ts";
import { paintFor } from "../../output/paint.ts";
import { formatTable } from "../../output/table.ts";
import { firstLine } from "../../output/visible-text.ts";

const list = defineCommand({
  about: "Lists the documents of a workspace, and who may write them.",
  words: ["TARGET"],
  options: { earlier: EARLIER },
  examples: ["agent-worker doc list @review"],

  async run({ words: [target], options, terminal, call, print }) {
    const listed = await call("list-documents", { target, earlier: wholeNumber("--earlier", options.earlier) });
    return print(listed, () => {
      const { documents, defaultFile, owner, electing } = listed;
      const writer = electing ? "nobody yet: the owner is being elected" : (owner ?? "every participant");
      if (documents.length === 0) return `No documents yet; the notes are ${defaultFile}. Written by ${writer}.\n`;
      const rows = documents.map(({ file, bytes, modifiedAt }) => [file, String(bytes), modifiedAt]);
      return `${formatTable(paintFor(terminal), ["FILE", "BYTES", "CHANGED"], rows)}Written by ${writer}.\n`;
    });
  },
});

const read = defineCommand({
  about: "Prints a document: the notes, unless another file is named.",
  words: ["TARGET", "[FILE]"],
  options: {
    previous: { about: "As it was before the last write" },
    revision: { value: "REVISION", about: "As it was then, from `doc history`" },
    earlier: EARLIER,
  },
  examples: ["agent-worker doc read @review", "agent-worker doc read @review decisions.md"],

  async run({ words: [target, named], options: { previous, revision, ...options }, call, print }) {
    const earlier = wholeNumber("--earlier", options.earlier);
    const file = named ?? (await call("list-documents", { target, earlier })).defaultFile;
    const document = await call("read-document", { target, file, previous, revision, earlier });
    return print(document, () => document.content.replace(/(?<!\n)$/, "\n"));
  },
});

const history = defineCommand({
  about: "Lists the earlier revisions of a document that are kept, newest first.",
  words: ["TARGET", "FILE"],
  options: { earlier: EARLIER },
  examples: ["agent-worker doc history @review notes.md"],

  async run({ words: [target, file = ""], options, terminal, call, print }) {
    const earlier = wholeNumber("--earlier", options.earlier);
    const listed = await call("list-document-history", { target, file, earlier });
    const rows = listed.revisions.map(({ revision, bytes, modifiedAt, by }) => {
      return [revision, String(bytes), modifiedAt, by ?? "unknown"];
    });
    return print(listed, () =>
      rows.length === 0
        ? "There is no earlier revision.\n"
        : formatTable(paintFor(terminal), ["REVISION", "BYTES", "WRITTEN", "BY"], rows),
    );
  },
});

const diff = defineCommand({
  about: "Shows what changed in a document since a revision: the one before the last write, unless another is named.",
  words: ["TARGET", "FILE", "[REVISION]"],
  examples: ["agent-worker doc diff @review notes.md"],

  async run({ words: [target, file = "", revision], terminal, call, print }) {
    const before = await call("read-document", { target, file, revision, previous: revision === undefined });
    const after = await call("read-document", { target, file });
    const lines = diffTexts(before.content, after.content);
    const value = { file, before: before.revision, after: after.revision, lines };
    return print(value, () => diffText(paintFor(terminal), lines.map(({ sign, text }) => `${sign}${text}\n`).join("")));
  },
});

const write = defineCommand({
  about: "Replaces the whole text of a document. With --revision it is refused when somebody wrote in between.",
  words: ["TARGET", "FILE", "TEXT|-"],
  options: { revision: { value: "REVISION", about: "The revision you read, from `doc read --json`" } },
  examples: ["agent-worker doc write @review notes.md - < notes.md"],

  async run({ words: [target, file = "", text = ""], options: { revision }, terminal, call, print }) {
    const content = await textArgument(text, terminal);
    const written = await call("write-document", { target, file, content, revision });
    return print(written, `Wrote ${written.file}.\n`);
  },
});

const append = defineCommand({
  about: "Adds text to the end of a document, which is made if it is missing.",
  words: ["TARGET", "FILE", "TEXT|-"],
  examples: ['agent-worker doc append @review notes.md "- ask about the release"'],

  async run({ words: [target, file = "", text = ""], terminal, call, print }) {
    const written = await call("append-document", { target, file, content: await textArgument(text, terminal) });
    return print(written, `Added to ${written.file}.\n`);
  },
});

const create = defineCommand({
  about: "Adds a new document; refused when there is one of that name.",
  words: ["TARGET", "FILE", "[TEXT|-]"],
  examples: ['agent-worker doc create @review plan.md "# Plan"'],

  async run({ words: [target, file = "", text = ""], terminal, call, print }) {
    const written = await call("create-document", { target, file, content: await textArgument(text, terminal) });
    return print(written, `Made ${written.file}.\n`);
  },
});

const suggest = defineCommand({
  about: "Suggests a change of a document to its owner, who accepts or rejects it.",
  words: ["TARGET", "FILE", "TEXT|-"],
  options: {
    append: { about: "Add to the end instead of replacing the whole text" },
    note: { value: "TEXT", about: "Why" },
  },
  examples: ['agent-worker doc suggest @review notes.md "- mention the tests" --append'],

  async run({ words: [target, file = "", text = ""], options, terminal, call, print }) {
    const content = await textArgument(text, terminal);
    const way = options.append ? "append" : "replace";
    const made = await call("suggest-document", { target, file, content, way, note: options.note });
    return print(made, `Suggested as ${made.id}.\n`);
  },
});

const suggestions = defineCommand({
  about: "Lists the suggested changes that nobody has decided about, oldest first.",
  words: ["TARGET", "[FILE]"],
  options: { limit: LIMIT },
  examples: ["agent-worker doc suggestions @review"],

  async run({ words: [target, file], options, call, print }) {
    const listed = await call("list-suggestions", { target, file, limit: wholeNumber("-n", options.limit) });
    return print(listed, () => {
      const lines = listed.suggestions.map(({ id, file: about, author, way, note, content }) => {
        const change = way === "append" ? "adds" : "replaces the text by";
        return `${id}  ${about}, ${author} ${change}: ${firstLine(content)}${note === null ? "" : `\n  ${firstLine(note)}`}\n`;
      });
      return lines.join("") || "No change is suggested.\n";
    });
  },
});

const accept = defineCommand({
  about: "Accepts a suggested change: it is written, and its author is told.",
  words: ["ID"],
  options: { target: EXPECTED_SPACE },
  examples: ["agent-worker doc accept sug_0123456789"],

  async run({ words: [id = ""], options: { target }, call, print }) {
    const accepted = await call("accept-suggestion", { id, target });
    return print(accepted, `Wrote ${accepted.file} as ${accepted.author} suggested.\n`);
  },
});

const reject = defineCommand({
  about: "Rejects a suggested change: the document stays as it is, and the author is told why.",
  words: ["ID"],
  options: { reason: { value: "TEXT", about: "Told to the author" }, target: EXPECTED_SPACE },
  examples: ['agent-worker doc reject sug_0123456789 --reason "It is in the README already"'],

  async run({ words: [id = ""], options: { reason, target }, call, print }) {
    const rejected = await call("reject-suggestion", { id, reason, target });
    return print(rejected, `${rejected.file} stays as it is.\n`);
  },
});

export const doc: CommandGroup = {
  about: "Documents: the files that the participants of a workspace write together.",
  entries: [
    { name: "list", summary: "List the documents of a workspace", load: async () => list },
    { name: "read", summary: "Print a document", load: async () => read },
    { name: "history", summary: "List earlier revisions of a document", load: async () => history },
    { name: "diff", summary: "Show what changed in a document", load: async () => diff },
    { name: "write", summary: "Replace the text of a document", load: async () => write },
    { name: "append", summary: "Add to the end of a document", load: async () => append },
    { name: "create", summary: "Add a new document", load: async () => create },
    { name: "suggest", summary: "Suggest a change to the owner of a document", load: async () => suggest },
    { name: "suggestions", summary: "List the suggested changes", load: async () => suggestions },
    { name: "accept", summary: "Accept a suggested change", load: async () => accept },
    { name: "reject", summary: "Reject a suggested change", load: async () => reject },
  ],
};
