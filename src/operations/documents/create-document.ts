import * as contract from "../../contract/documents.ts";
import { participants } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { documentsToWrite } from "./document-access.ts";
import { discardWrite, publishWrite, stageWrite } from "./staged-write.ts";

export const createDocument = proposal(contract.createDocument, {
  access: participants,

  async prepare(data, ctx) {
    const place = await documentsToWrite(ctx, data.target);
    if (!place.ok) return place;
    return stageWrite(ctx, place.value, data.file, ctx.services.redact(data.content), { mustNotExist: true });
  },
  abandon: discardWrite,
  execute: (data, ctx, prepared) => publishWrite(ctx, data.target, prepared),
});
