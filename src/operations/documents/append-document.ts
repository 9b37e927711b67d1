import * as contract from "../../contract/documents.ts";
import { participants } from "../core/access.ts";
import { spaceKey } from "../core/caller-space.ts";
import { proposal } from "../core/define.ts";
import { documentsToWrite } from "./document-space.ts";
import { discardWrite, publishWrite, stageWrite } from "./document-write.ts";

/** Of all who append at the same moment one gets through each time, so this is also how many may do so. */
const ATTEMPTS = 32;

/**
 * Adds to what is there, whoever wrote it last: when the document changed between reading and writing, it is read
 * again. Starts on a line of its own.
 */
export const appendDocument = proposal(contract.appendDocument, {
  access: participants,
  attempts: ATTEMPTS,
  space: (data, caller) => spaceKey(data.target, caller),

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
