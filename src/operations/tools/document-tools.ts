import type { z } from "zod";
import type { WrittenDocumentView } from "../../contract/document.ts";
import { asLine } from "../../guard/section-markup.ts";
import { appendDocument } from "../append-document.ts";
import { createDocument } from "../create-document.ts";
import { listDocuments } from "../list-documents.ts";
import { readDocument } from "../read-document.ts";
import { readResource } from "../read-resource.ts";
import { textPage } from "../text-page.ts";
import { writeDocument } from "../write-document.ts";
import { partText } from "./part-text.ts";
import { teamTool } from "./team-tool.ts";

const { offset, limit } = readResource.input.shape;

export const documentTools = [
  teamTool({
    name: "team_doc_list",
    description: "List the documents of the team, and who may write them.",
    input: {},
    uses: [listDocuments],
    needs: "channel",
    call: (_args, ask) => ask(listDocuments, {}, listText),
  }),
  teamTool({
    name: "team_doc_read",
    description: "Read a document of the team, in parts when it is long: the notes, unless another file is named.",
    input: { file: readDocument.input.shape.file, offset, limit },
    uses: [readDocument],
    needs: "channel",
    call: ({ file, offset: from, limit: most }, ask) =>
      ask(readDocument, { file }, ({ space, file: name, revision, content }) => {
        const page = { offset: from, ...textPage(content, from, most) };
        return {
          text: partText(`${asLine(name)}, revision ${revision}`, page),
          data: { space, file: name, revision, ...page },
        };
      }),
  }),
  teamTool({
    name: "team_doc_write",
    description: `${writeDocument.summary} Pass the revision you read, so that nobody's change is lost.`,
    input: {
      content: writeDocument.input.shape.content.describe("The whole new text."),
      file: writeDocument.input.shape.file,
      revision: writeDocument.input.shape.revision,
    },
    uses: [writeDocument],
    needs: "channel",
    call: (args, ask) => ask(writeDocument, args, writtenText),
  }),
  teamTool({
    name: "team_doc_append",
    description: appendDocument.summary,
    input: {
      content: appendDocument.input.shape.content.describe("Text to add."),
      file: appendDocument.input.shape.file,
    },
    uses: [appendDocument],
    needs: "channel",
    call: (args, ask) => ask(appendDocument, args, writtenText),
  }),
  teamTool({
    name: "team_doc_create",
    description: "Add a new document for the team; refused when there is one of that name.",
    input: { file: createDocument.input.shape.file, content: createDocument.input.shape.content },
    uses: [createDocument],
    needs: "channel",
    call: (args, ask) => ask(createDocument, args, writtenText),
  }),
];

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
