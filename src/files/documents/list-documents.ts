import { lstatSync } from "node:fs";
import type { DocumentInfo } from "../../ports/documents.ts";
import { namesIn, openFolder } from "../confined-folder.ts";
import type { Folder } from "../confined-folder.ts";
import { checkFileName } from "../confined-path.ts";

const MAX_DOCUMENTS = 10_000;

/** Lists the files whose name and type `read` accepts, sorted by name, `MAX_DOCUMENTS` at most. */
export function listDocuments(base: Folder): DocumentInfo[] {
  const found: DocumentInfo[] = [];
  const pending: string[][] = [[]];
  for (let segments = pending.pop(); segments !== undefined; segments = pending.pop()) {
    const opened = openFolder(base, segments);
    if (!opened.ok) continue;
    using folder = opened.value;
    for (const name of namesIn(folder, segments.join("/") || "the documents")) {
      const file = [...segments, name].join("/");
      if (!checkFileName(file).ok) continue;
      const stats = lstatSync(folder.at(name), { throwIfNoEntry: false });
      if (stats?.isDirectory() === true) pending.push([...segments, name]);
      if (stats?.isFile() !== true || stats.nlink > 1) continue;
      found.push({ file, bytes: stats.size, modifiedMs: stats.mtimeMs });
      if (found.length === MAX_DOCUMENTS) return found.sort(byName);
    }
  }
  return found.sort(byName);
}

function byName(a: DocumentInfo, b: DocumentInfo): number {
  return a.file < b.file ? -1 : 1;
}
