import { z } from "zod";
import type { SuggestionView, WrittenDocumentView } from "../../contract/documents.ts";
import { asLine } from "../../guard/context/section-markup.ts";
import { refuse } from "../../kernel/refusal.ts";
import { textPage } from "../core/text-page.ts";
import { readResource } from "../resources/read-resource.ts";
import { formatTextPage } from "../tools/format-text-page.ts";
import { teamTool } from "../tools/team-tool.ts";
import { acceptSuggestion } from "./accept-suggestion.ts";
import { appendDocument } from "./append-document.ts";
import { createDocument } from "./create-document.ts";
import { listDocuments } from "./list-documents.ts";
import { listSuggestions } from "./list-suggestions.ts";
import { readDocument } from "./read-document.ts";
import { rejectSuggestion } from "./reject-suggestion.ts";
import { suggestDocument } from "./suggest-document.ts";
import { writeDocument } from "./write-document.ts";

const { offset, limit } = readResource.input.shape;
const file = readDocument.input.shape.file.describe("Default: the notes.");

export const documentTools = [
  teamTool({
    name: "team_doc_list",
    description: "List the documents of the team and who may write them.",
    input: {},
    uses: [listDocuments],
    call: (_args, ask) => ask(listDocuments, {}, listText),
  }),
  teamTool({
    name: "team_doc_read",
    description: "Read a document of the team, in parts when it is long.",
    input: { file, offset: offset.describe("Characters to skip."), limit },
    shown: { limit: null },
    uses: [readDocument],
    call: ({ file: named, offset: from, limit: most }, ask) =>
      ask(readDocument, { file: named }, ({ space, file: name, revision, content }) => {
        const page = { offset: from, ...textPage(content, from, most) };
        return {
          text: formatTextPage(`${asLine(name)}, revision ${revision}`, page),
          data: { space, file: name, revision, ...page },
        };
      }),
  }),
  teamTool({
    name: "team_doc_write",
    description: "Replace the whole text of a document, or make a new one.",
    input: {
      content: writeDocument.input.shape.content,
      file,
      revision: writeDocument.input.shape.revision.describe("The one you read: refused if others changed it since."),
    },
    uses: [writeDocument],
    returnsUntrusted: false,
    call: (args, ask) => ask(writeDocument, args, writtenText),
  }),
  teamTool({
    name: "team_doc_append",
    description: "Add text to the end of a document.",
    input: { content: appendDocument.input.shape.content, file },
    uses: [appendDocument],
    returnsUntrusted: false,
    call: (args, ask) => ask(appendDocument, args, writtenText),
  }),
  // Not shown: writing makes a document that is missing. This one is refused when there is one.
  teamTool({
    name: "team_doc_create",
    description: "Add a new document for the team; refused when there is one of that name.",
    input: { file: createDocument.input.shape.file, content: createDocument.input.shape.content },
    uses: [createDocument],
    returnsUntrusted: false,
    call: (args, ask) => ask(createDocument, args, writtenText),
  }),
  teamTool({
    name: "team_doc_suggest",
    description: "Suggest a change of a document to its owner.",
    input: {
      content: suggestDocument.input.shape.content.describe("The new text."),
      file,
      way: suggestDocument.input.shape.way.describe("append: add to the end."),
      note: suggestDocument.input.shape.note,
    },
    uses: [suggestDocument],
    returnsUntrusted: false,
    call: (args, ask) =>
      ask(suggestDocument, args, ({ id, file }) => `Suggested as ${id}: ${asLine(file)} changes when it is accepted.`),
  }),
  teamTool({
    name: "team_doc_review",
    description: "Decide on a suggested change of a document you own; without `id`, list them.",
    input: {
      id: acceptSuggestion.input.shape.id.describe("").optional(),
      decision: z.enum(["accept", "reject"]).optional(),
      reason: rejectSuggestion.input.shape.reason,
    },
    uses: [listSuggestions, acceptSuggestion, rejectSuggestion],
    async call({ id, decision, reason }, ask) {
      if (id === undefined) return ask(listSuggestions, {}, suggestionsText);
      if (decision === undefined) {
        return refuse("invalid", `What becomes of ${id}?`, { hint: 'Pass decision: "accept" or "reject".' });
      }
      const decisionText = ({ state, file, author }: SuggestionView): string =>
        `${asLine(file)}: the suggestion of ${author} is ${state}.`;
      return decision === "accept"
        ? ask(acceptSuggestion, { id }, decisionText)
        : ask(rejectSuggestion, { id, reason }, decisionText);
    },
  }),
];

function suggestionsText({ suggestions }: z.output<typeof listSuggestions.output>): string {
  if (suggestions.length === 0) return "Nothing is suggested.";
  return suggestions
    .map(({ id, file, way, author, note, content }) => {
      const change = way === "append" ? "add to" : "replace";
      return `${id}: ${author} would ${change} ${asLine(file)}${note === null ? "" : ` (${asLine(note)})`}\n${content}`;
    })
    .join("\n\n");
}

function listText({ defaultFile, owner, electing, documents }: z.output<typeof listDocuments.output>): string {
  const writers = electing ? "nobody, until the owner is elected" : owner === null ? "everyone" : `only ${owner}`;
  const lines = documents.map(
    ({ file, bytes, modifiedAt }) =>
      `- ${asLine(file)}${file === defaultFile ? " (the notes)" : ""}: ${bytes} bytes, changed ${modifiedAt}`,
  );
  return [...(lines.length === 0 ? ["No documents yet."] : lines), `May write: ${writers}.`].join("\n");
}

function writtenText({ file, revision }: WrittenDocumentView): string {
  return `Written: ${asLine(file)}, now revision ${revision}.`;
}
