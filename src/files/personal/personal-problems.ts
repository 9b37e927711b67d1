import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { PersonalProblem } from "../../ports/personal-context.ts";
import type { SoulFile } from "../../ports/soul-file.ts";

/** Returns what is wrong with the folder of a personal context, and with the learned soul in it. */
export function findPersonalProblems(root: string, folder: string, soul: Pick<SoulFile, "read">): PersonalProblem[] {
  const kind = kindOf(join(root, folder));
  if (kind === "file") {
    const message = "The personal context is to be kept here, and this is not a folder: nothing can be remembered.";
    return [
      { file: folder, line: 1, message, hint: "Make it a folder, or name another one with context: {dir: ...}." },
    ];
  }
  const { mistake } = kind === "folder" ? soul.read() : { mistake: null };
  if (mistake === null) return [];
  const message = `What the agent has learned about itself cannot be used: ${mistake.message}`;
  return [{ file: `${folder}/soul.yaml`, line: mistake.line, message, hint: "Correct the file, or move it away." }];
}

/** A link counts as a file: no link is followed. Undefined when there is nothing yet, or no folder to hold it. */
function kindOf(path: string): "folder" | "file" | undefined {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats === undefined ? undefined : stats.isDirectory() ? "folder" : "file";
  } catch {
    return undefined;
  }
}
