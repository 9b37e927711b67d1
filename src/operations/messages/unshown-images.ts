import type { ReceiptView } from "../../contract/messages.ts";
import { DEFAULT_ENGINE, showsImages } from "../../domain/agent/engines.ts";
import { isImageType } from "../../domain/message/image.ts";
import { resourcesIn } from "../../domain/message/resource-reference.ts";
import type { Execute } from "../core/define.ts";
import { findRunAgent } from "../runs/run-agent.ts";

/** Says which recipients of a message with an image do not see it, because of their engine. */
export async function unshownImages(ctx: Execute, body: string, { space, recipients }: ReceiptView): Promise<string[]> {
  if (!(await namesImage(ctx, body))) return [];
  const warnings: string[] = [];
  for (const { agent } of recipients) {
    const found = await findRunAgent(ctx.store, ctx.services.definitions, { agent, space });
    if (found.kind !== "found") continue;
    const { backend = DEFAULT_ENGINE } = found.agent.definition;
    if (!showsImages(backend))
      warnings.push(`${agent} does not see the image: the engine ${backend} shows none. It gets the name only.`);
  }
  return warnings;
}

async function namesImage({ store }: Execute, body: string): Promise<boolean> {
  for (const id of resourcesIn(body)) {
    const record = await store.resources.byId(id);
    if (record?.encoding === "base64" && isImageType(record.type)) return true;
  }
  return false;
}
