import { namesIn, openFolder } from "../confined-folder.ts";
import type { Folder } from "../confined-folder.ts";
import { foldName } from "../confined-path.ts";

/**
 * Returns the existing path that differs from `file` only in case or Unicode composition, in any of its parts: on other
 * systems the two would be one file. Undefined when there is none.
 */
export function findCaseCollision(base: Folder, file: string): string | undefined {
  const segments = file.split("/");
  for (const [depth, segment] of segments.entries()) {
    const opened = openFolder(base, segments.slice(0, depth));
    if (!opened.ok) return undefined;
    using folder = opened.value;
    const names = namesIn(folder, file);
    if (names.includes(segment)) continue;
    const other = names.find((name) => foldName(name) === foldName(segment));
    return other === undefined
      ? undefined
      : [...segments.slice(0, depth), other, ...segments.slice(depth + 1)].join("/");
  }
  return undefined;
}
