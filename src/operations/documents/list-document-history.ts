import * as contract from "../../contract/documents.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { documentsToRead } from "./document-access.ts";

export const listDocumentHistory = query(contract.listDocumentHistory, {
  access: persons,

  async execute(data, ctx) {
    const place = await documentsToRead(ctx, data);
    if (!place.ok) return place;
    const { workspace, documents } = place.value;
    const history = await documents.history(data.file);
    if (!history.ok) return history;
    const revisions = history.value.map(({ revision, bytes, modifiedMs }) => ({
      revision,
      bytes,
      modifiedAt: new Date(modifiedMs).toISOString(),
    }));
    return ok({ space: workspace.key, file: data.file, revisions });
  },
});
