import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { PageFile, PageFiles } from "../http/page/page-file.ts";

/** Folders of the built web page: in the package, and in a checkout. */
const FOLDERS = [new URL("../web/", import.meta.url), new URL("../../web/dist/", import.meta.url)];

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
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

function pageFile(type: string, body: Buffer): PageFile {
  return { type, body, etag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"` };
}
