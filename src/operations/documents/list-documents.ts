import * as contract from "../../contract/documents.ts";
import { UNDECIDED_OWNER } from "../../domain/workspace/owner-election.ts";
import { ok } from "../../kernel/result.ts";
import { participants } from "../core/access.ts";
import { query } from "../core/define.ts";
import { documentsToRead } from "./document-access.ts";
import { PUBLIC_MEMORIES, publicMemories } from "./public-memories.ts";
import { toDocumentInfoView } from "./view.ts";

export const listDocuments = query(contract.listDocuments, {
  access: participants,

  async execute(data, ctx) {
    const place = await documentsToRead(ctx, data);
    if (!place.ok) return place;
    const { workspace, documents } = place.value;
    const written = await documents.list();
    const { key, documentFile, documentOwner } = workspace;
    const published = written.some(({ file }) => file === PUBLIC_MEMORIES) ? null : await publicMemories(ctx, key);
    const found = published === null ? written : [...written, published];
    return ok({
      space: key,
      defaultFile: documentFile,
      owner: documentOwner === UNDECIDED_OWNER ? null : documentOwner,
      electing: documentOwner === UNDECIDED_OWNER,
      documents: found.map(toDocumentInfoView),
    });
  },
});
