import * as contract from "../../contract/documents.ts";
import { ok } from "../../kernel/result.ts";
import { participants } from "../core/access.ts";
import { query } from "../core/define.ts";
import { documentsToRead } from "./document-access.ts";
import { PUBLIC_MEMORIES, publicMemories } from "./public-memories.ts";

export const readDocument = query(contract.readDocument, {
  access: participants,

  async execute(data, ctx) {
    const place = await documentsToRead(ctx, data);
    if (!place.ok) return place;
    const { workspace, documents } = place.value;
    const file = data.file ?? workspace.documentFile;
    const { revision } = data;
    const document = await (revision !== undefined
      ? documents.readRevision(file, revision)
      : data.previous
        ? documents.readPrevious(file)
        : documents.read(file));
    if (document.ok) return ok({ space: workspace.key, file, ...document.value });
    const published =
      file === PUBLIC_MEMORIES && !data.previous && revision === undefined
        ? await publicMemories(ctx, workspace.key)
        : null;
    if (published === null) return document;
    return ok({ space: workspace.key, file, content: published.content, revision: published.revision });
  },
});
