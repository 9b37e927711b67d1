import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { PageEncoding, PageFile, PageFiles } from "../http/page/page-file.ts";

/** Folders of the built web page: in the package, and in a checkout. */
const FOLDERS = [new URL("../web/", import.meta.url), new URL("../../web/dist/", import.meta.url)];

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webmanifest": "application/manifest+json",
};

/** Reads the files at the first request, then serves them from memory. */
export function openPageFiles(folders: readonly URL[] = FOLDERS): PageFiles {
  let files: ReadonlyMap<string, PageFile> | undefined;
  return (name) => (files ??= readFirst(folders)).get(name);
}

function readFirst(folders: readonly URL[]): ReadonlyMap<string, PageFile> {
  for (const folder of folders) {
    const found = readFolder(fileURLToPath(folder));
    if (found.size > 0) return found;
  }
  return new Map();
}

function readFolder(folder: string): ReadonlyMap<string, PageFile> {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return new Map();
  }
  return new Map(
    names.flatMap((name) => {
      const type = TYPES[extname(name)];
      return type === undefined ? [] : [[name, pageFile(type, readFileSync(join(folder, name)))]];
    }),
  );
}

/** A file is compressed when the first browser asks for it, and kept. */
function pageFile(type: string, content: Buffer): PageFile {
  const compressed = new Map<PageEncoding, Buffer>([["identity", content]]);
  return {
    type,
    etag: `"${createHash("sha256").update(content).digest("base64url").slice(0, 22)}"`,
    body(encoding) {
      const known = compressed.get(encoding);
      if (known !== undefined) return known;
      const body = encoding === "br" ? brotliCompressSync(content, BROTLI) : gzipSync(content, { level: 9 });
      compressed.set(encoding, body);
      return body;
    },
  };
}

/** Almost as small as the highest quality, in a tenth of its time. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
