import * as contract from "../../contract/documents.ts";
import { participants } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { documentsToWrite } from "./document-access.ts";
import { discardWrite, publishWrite, stageAppend } from "./staged-write.ts";

/** One of the concurrent callers succeeds per attempt, so this many may append at the same time. */
const ATTEMPTS = 32;

/** Appends text, on a new line. When the document changed between reading and writing, it is read again. */
export const appendDocument = proposal(contract.appendDocument, {
  access: participants,
  attempts: ATTEMPTS,

  async prepare(data, ctx) {
    const place = await documentsToWrite(ctx, data.target);
    if (!place.ok) return place;
    const file = data.file ?? place.value.workspace.documentFile;
    // Only the new text is redacted: a person may have written the rest.
    return stageAppend(ctx, place.value, file, ctx.services.redact(data.content));
  },
  abandon: discardWrite,
  execute: (data, ctx, prepared) => publishWrite(ctx, data.target, prepared),
});
