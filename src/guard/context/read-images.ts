import {
  imageTypeOf,
  isImageType,
  MOST_BYTES_OF_IMAGES,
  MOST_IMAGE_BYTES,
  MOST_IMAGES,
} from "../../domain/message/image.ts";
import { resourcesIn } from "../../domain/message/resource-reference.ts";
import type { ImageContent } from "../../ports/engine.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import type { PromptImage, PromptMessage } from "./prompt-input.ts";

/**
 * Returns the images that messages name, each once. Only those of the space are found: an agent reads nothing of others.
 * What is too much is not shown, and the prompt says so.
 */
export async function readImages(
  store: Pick<StoreReads, "resources">,
  space: string,
  messages: readonly PromptMessage[],
  engineShows: boolean,
): Promise<PromptImage[]> {
  const images: PromptImage[] = [];
  let shown = 0;
  let total = 0;
  for (const resource of await namedBy(store, messages)) {
    const record = await store.resources.byId(resource);
    if (record === undefined || record.encoding !== "base64" || !isImageType(record.type)) continue;
    if (!(await store.resources.inSpace(resource, space))) continue;
    const { type, bytes } = record;
    const hidden = !engineShows
      ? "an image that this engine cannot show"
      : bytes > MOST_IMAGE_BYTES
        ? `not shown, because an image may have ${MOST_IMAGE_BYTES} bytes`
        : shown === MOST_IMAGES || total + bytes > MOST_BYTES_OF_IMAGES
          ? `not shown, because a run is shown ${MOST_IMAGES} images with ${MOST_BYTES_OF_IMAGES} bytes at most`
          : null;
    if (hidden === null) {
      shown += 1;
      total += bytes;
    }
    images.push({ resource, type, bytes, hidden });
  }
  return images;
}

/** Returns an image of a space; null when it is not there, or is none. */
export async function readImage(
  store: Pick<StoreReads, "resources">,
  space: string,
  resource: string,
): Promise<ImageContent | null> {
  const record = await store.resources.byId(resource);
  if (record?.encoding !== "base64" || record.bytes > MOST_IMAGE_BYTES) return null;
  if (!(await store.resources.inSpace(resource, space))) return null;
  const data = await store.resources.content(resource);
  // Not by what somebody called it.
  const type = data === undefined ? null : imageTypeOf(Buffer.from(data.slice(0, 64), "base64"));
  return data === undefined || type === null ? null : { type, data };
}

/** A message that is too long for the channel names resources in the part that is stored apart, too. */
async function namedBy(
  store: Pick<StoreReads, "resources">,
  messages: readonly PromptMessage[],
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (const { body, resource } of messages) {
    const rest = resource === null ? "" : ((await store.resources.content(resource)) ?? "");
    for (const id of [...resourcesIn(body), ...resourcesIn(rest)]) ids.add(id);
  }
  return ids;
}
