import * as contract from "../../contract/documents.ts";
import { currentKey } from "../../domain/workspace/instance.ts";
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
    const current = await documents.read(data.file);
    // An instance that was moved aside wrote under the key that the current one has.
    const writers = await ctx.read((store) => store.behaviourPatterns.writersOf(currentKey(workspace.key), data.file));
    const writerOf = (wanted: string): string | null => writers.find(({ revision }) => revision === wanted)?.by ?? null;
    const revisions = history.value.map(({ revision, bytes, modifiedMs }) => ({
      revision,
      bytes,
      modifiedAt: new Date(modifiedMs).toISOString(),
      by: writerOf(revision),
    }));
    const by = current.ok ? writerOf(current.value.revision) : null;
    return ok({ space: workspace.key, file: data.file, by, revisions });
  },
});
