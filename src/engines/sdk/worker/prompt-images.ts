import type { FilePart, ModelMessage, TextPart, UserModelMessage } from "ai";
import type { ImageReference } from "../../../ports/engine.ts";
import { REFERENCE_KEY, type LoadedImages } from "../image-reference.ts";
import { reportOf } from "./failure-report.ts";

/** Returns the message of a prompt. With images it has parts: the text, then a reference to each image. */
export function promptMessage(prompt: string, images: readonly ImageReference[]): UserModelMessage {
  if (images.length === 0) return { role: "user", content: prompt };
  const parts = images.map(({ resource, type }): FilePart => ({
    type: "file",
    mediaType: type,
    data: { type: "reference", reference: { [REFERENCE_KEY]: resource } },
  }));
  return { role: "user", content: [{ type: "text", text: prompt }, ...parts] };
}

/** Returns the messages of a request: references are replaced by what they refer to, or by `instead` if there is one. */
export function withImages(
  messages: readonly ModelMessage[],
  images: LoadedImages,
  instead?: (resource: string) => string,
): readonly ModelMessage[] {
  if (!messages.some(hasImages)) return messages;
  return messages.map((message) => {
    if (message.role !== "user" || typeof message.content === "string") return message;
    const content = message.content.map((part) => {
      const resource = resourceOf(part);
      if (resource === undefined) return part;
      const image = images[resource];
      if (instead !== undefined) return textPart(instead(resource));
      if (image === undefined) return textPart(`(an image that is not there any more: [resource:${resource}])`);
      return { type: "file" as const, mediaType: image.type, data: { type: "data" as const, data: image.data } };
    });
    return { ...message, content };
  });
}

export function hasImages({ role, content }: ModelMessage): boolean {
  return role === "user" && typeof content !== "string" && content.some((part) => resourceOf(part) !== undefined);
}

/** What a model is told that cannot be shown an image. */
export function unseenImage(resource: string): string {
  return `(an image that this model cannot show: [resource:${resource}])`;
}

const REFUSALS: ReadonlySet<number | undefined> = new Set([400, 404, 415, 422]);

/** Whether a provider refused a request because its model takes no images. There is no code for it. */
export function refusesImages(error: unknown): boolean {
  const { status, message } = reportOf(error);
  return REFUSALS.has(status) && /image|vision|multi-?modal|content type|media type/i.test(message);
}

function resourceOf(part: object): string | undefined {
  if (!("data" in part) || typeof part.data !== "object" || part.data === null) return undefined;
  if (!("reference" in part.data) || typeof part.data.reference !== "object" || part.data.reference === null)
    return undefined;
  const resource: unknown = Object.entries(part.data.reference).find(([key]) => key === REFERENCE_KEY)?.[1];
  return typeof resource === "string" ? resource : undefined;
}

function textPart(text: string): TextPart {
  return { type: "text", text };
}
