import type { ImageContent, ImageReference, SessionImages } from "../../ports/engine.ts";

/** Under this name a message of a transcript refers to an image: as to a file that a provider stores. */
export const REFERENCE_KEY = "agent-worker";

/** The images of a session by the ids of their resources. */
export type LoadedImages = Readonly<Record<string, ImageContent>>;

/** In a text of a transcript the quotes are escaped, so this finds only references. */
const REFERENCE = new RegExp(`"reference":\\{"${REFERENCE_KEY}":"(res_[0-9a-f]{32})"\\}`, "g");

/** Reads the images that the parts of a transcript refer to, and those that come with the next prompt. */
export async function loadImages(
  images: SessionImages | undefined,
  transcript: readonly string[],
): Promise<LoadedImages> {
  if (images === undefined) return {};
  const named = transcript.flatMap((part) => [...part.matchAll(REFERENCE)].map(([, id = ""]) => id));
  const loaded: Record<string, ImageContent> = {};
  for (const resource of new Set([...named, ...images.shown.map((each: ImageReference) => each.resource)])) {
    const content = await images.read(resource);
    if (content !== null) loaded[resource] = content;
  }
  return loaded;
}
