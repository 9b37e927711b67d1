/** Images that models can be shown. Every provider reads these, and not every provider reads others. */
export const IMAGE_TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

/** How many images a run is shown. */
export const MOST_IMAGES = 8;
/** Providers take up to 5 MB of base64 for one image. */
export const MOST_IMAGE_BYTES = 3_750_000;
/** Of all images of a run together: providers limit the whole request, too. */
export const MOST_BYTES_OF_IMAGES = 15_000_000;

/** For people. */
export const IMAGE_NAMES = "PNG, JPEG, GIF and WebP";

/** Returns the type of an image by its first bytes, whatever its name says; null when it is none of `IMAGE_TYPES`. */
export function imageTypeOf(bytes: Uint8Array): ImageType | null {
  const text = (from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to));
  if (text(0, 8) === "\u0089PNG\r\n\u001a\n") return "image/png";
  if (text(0, 3) === "\u00ff\u00d8\u00ff") return "image/jpeg";
  if (text(0, 6) === "GIF87a" || text(0, 6) === "GIF89a") return "image/gif";
  if (text(0, 4) === "RIFF" && text(8, 12) === "WEBP") return "image/webp";
  return null;
}

export function isImageType(type: string): type is ImageType {
  return (IMAGE_TYPES as readonly string[]).includes(type);
}
