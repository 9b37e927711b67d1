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

export const createDocument = proposal({
  name: "create-document",
  summary: "Add a new document to a workspace; refused when there is one of that name.",
  input: z.object({ target: documentTarget, file: documentFile, content: documentContent.default("") }),
  output: writtenDocumentView,
  access: participants,

  async prepare(data, ctx) {
    const place = await documentsToWrite(ctx, data.target);
    if (!place.ok) return place;
    return stageWrite(place.value, data.file, ctx.services.redact(data.content), { mustNotExist: true });
  },
  abandon: discardWrite,
  execute: (data, ctx, prepared) => publishWrite(ctx, data.target, prepared),
});
