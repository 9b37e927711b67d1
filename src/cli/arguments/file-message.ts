import { isImageType } from "../../domain/message/image.ts";
import type { ResourceView } from "../../contract/resources.ts";

/** Returns the text of a message that comes with a file. */
export function fileMessage(
  text: string | undefined,
  name: string,
  { id, type, bytes, encoding }: Pick<ResourceView, "id" | "type" | "bytes" | "encoding">,
): string {
  const read =
    encoding === "utf8" ? ` Read it with resource_read {"id": "${id}"}.` : isImageType(type) ? "" : " It is no text.";
  const pointer = `[resource:${id}] ${name} (${type}, ${bytes} bytes).${read}`;
  return text === undefined || text.trim() === "" ? pointer : `${text}\n\n${pointer}`;
}
