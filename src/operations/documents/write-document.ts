import { z } from "zod";
import { writtenDocumentView } from "../../contract/document.ts";
import { participants } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { documentsToWrite } from "./document-space.ts";
import {
  discardWrite,
  documentContent,
  documentFile,
  documentTarget,
  publishWrite,
  stageWrite,
} from "./document-write.ts";

export const writeDocument = proposal({
  name: "write-document",
  summary: "Replace the whole content of a document: the notes, unless another file is named.",
  input: z.object({
    target: documentTarget,
    file: documentFile.optional(),
    content: documentContent,
    revision: z.string().optional().describe("The revision you read: refused when the document has changed since."),
  }),
  output: writtenDocumentView,
  access: participants,

  async prepare(data, ctx) {
    const place = await documentsToWrite(ctx, data.target);
    if (!place.ok) return place;
    const file = data.file ?? place.value.workspace.documentFile;
    const terms = data.revision === undefined ? {} : { expectRevision: data.revision };
    return stageWrite(place.value, file, ctx.services.redact(data.content), terms);
  },
  abandon: discardWrite,
  execute: (data, ctx, prepared) => publishWrite(ctx, data.target, prepared),
});
