import { z } from "zod";
import { documentView } from "../contract/document.ts";
import { ok } from "../kernel/result.ts";
import { participants } from "./access.ts";
import { spaceKey } from "./caller-space.ts";
import { query } from "./define.ts";
import { documentsToRead } from "./document-space.ts";
import { documentFile, documentTarget } from "./document-write.ts";

export const readDocument = query({
  name: "read-document",
  summary: "Read a document of a workspace: the notes, unless another file is named.",
  input: z.object({
    target: documentTarget,
    file: documentFile.optional(),
    previous: z.boolean().default(false).describe("The revision before the last write."),
  }),
  output: documentView,
  access: participants,
  space: (data, caller) => spaceKey(data.target, caller),

  async answer(data, ctx) {
    const place = await documentsToRead(ctx, data.target);
    if (!place.ok) return place;
    const { workspace, documents } = place.value;
    const file = data.file ?? workspace.documentFile;
    const document = await (data.previous ? documents.readPrevious(file) : documents.read(file));
    return document.ok ? ok({ space: workspace.key, file, ...document.value }) : document;
  },
});
