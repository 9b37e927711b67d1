import * as contract from "../../contract/documents.ts";
import { participants } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { documentsToWrite } from "./document-access.ts";
import { discardWrite, publishWrite, stageWrite } from "./staged-write.ts";

export const writeDocument = proposal(contract.writeDocument, {
  access: participants,

  async prepare(data, ctx) {
    const place = await documentsToWrite(ctx, data.target);
    if (!place.ok) return place;
    const file = data.file ?? place.value.workspace.documentFile;
    const terms = data.revision === undefined ? {} : { expectRevision: data.revision };
    return stageWrite(ctx, place.value, file, ctx.services.redact(data.content), terms);
  },
  abandon: discardWrite,
  execute: (data, ctx, prepared) => publishWrite(ctx, data.target, prepared),
});
