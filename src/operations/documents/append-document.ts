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

/** Of all who append at the same moment one gets through each time, so this is also how many may do so. */
const ATTEMPTS = 32;

/**
 * Adds to what is there, whoever wrote it last: when the document changed between reading and writing, it is read
 * again. Starts on a line of its own.
 */
export const appendDocument = proposal({
  name: "append-document",
  summary:
    "Add text to the end of a document, which is made if it is missing: the notes, unless another file is named.",
  input: z.object({
    target: documentTarget,
    file: documentFile.optional(),
    content: documentContent.min(1, "there is nothing to append"),
  }),
  output: writtenDocumentView,
  access: participants,
  attempts: ATTEMPTS,

  async prepare(data, ctx) {
    const place = await documentsToWrite(ctx, data.target);
    if (!place.ok) return place;
    const file = data.file ?? place.value.workspace.documentFile;
    const current = await place.value.documents.read(file);
    if (!current.ok && current.error.code !== "not_found") return current;
    const before = current.ok ? current.value.content : "";
    const gap = before === "" || before.endsWith("\n") ? "" : "\n";
    const expectRevision = current.ok ? current.value.revision : null;
    // Only what is new is redacted: the text before may be a person's, and nobody asked to change it.
    const content = before + gap + ctx.services.redact(data.content);
    return stageWrite(place.value, file, content, { expectRevision });
  },
  abandon: discardWrite,
  execute: (data, ctx, prepared) => publishWrite(ctx, data.target, prepared),
});
