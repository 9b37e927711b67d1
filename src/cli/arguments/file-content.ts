import { isUtf8 } from "node:buffer";
import { readFileSync, statSync } from "node:fs";
import { basename, extname, resolve } from "node:path";
import { IMAGE_NAMES, imageTypeOf } from "../../domain/message/image.ts";
import { UsageError } from "./usage-error.ts";

/** A file as it becomes a resource. */
export interface FileContent {
  readonly name: string;
  readonly type: string;
  readonly encoding: "utf8" | "base64";
  readonly content: string;
}

const MAX_BYTES = 5 * 1024 * 1024;

/** Types that people know; everything else is plain text or bytes. */
const TYPES: Readonly<Record<string, string>> = {
  ".md": "text/markdown",
  ".html": "text/html",
  ".csv": "text/csv",
  ".json": "application/json",
  ".yaml": "application/yaml",
  ".yml": "application/yaml",
  ".xml": "application/xml",
  ".pdf": "application/pdf",
  ".zip": "application/zip",
  ".gz": "application/gzip",
  ".svg": "image/svg+xml",
};

/** What an image is, its bytes say. */
const IMAGES: ReadonlySet<string> = new Set([".png", ".jpg", ".jpeg", ".gif", ".webp"]);

/** Reads a file: text as text, and everything else as bytes, which stay as they are. */
export function readFileContent(path: string, cwd: string): FileContent {
  const file = resolve(cwd, path);
  const bytes = readBytes(file, path);
  const name = basename(file);
  const isText = isUtf8(bytes) && !bytes.includes(0);
  const ending = extname(name).toLowerCase();
  const image = imageTypeOf(bytes);
  if (image === null && IMAGES.has(ending)) {
    throw new UsageError(
      `${path} is not an image: its bytes are none of ${IMAGE_NAMES}.`,
      "Give it the name of what it is.",
    );
  }
  const type = image ?? TYPES[ending] ?? (isText ? "text/plain" : "application/octet-stream");
  const encoding = isText ? "utf8" : "base64";
  return { name, type, encoding, content: bytes.toString(encoding) };
}

function readBytes(file: string, path: string): Buffer {
  try {
    const stats = statSync(file);
    if (!stats.isFile()) throw new UsageError(`${path} is not a file.`);
    if (stats.size === 0) throw new UsageError(`${path} is empty.`);
    if (stats.size > MAX_BYTES) {
      throw new UsageError(
        `${path} has ${stats.size} bytes, and a resource at most ${MAX_BYTES}.`,
        "Send it in parts. Agents with a shell can read files of the project by their names.",
      );
    }
    return readFileSync(file);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
    throw new UsageError(`${path} cannot be read (${code}).`);
  }
}
