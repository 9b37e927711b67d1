import type { ChangedFileView, WorktreeView } from "../../contract/git/worktrees.ts";
import { countOf } from "./count-of.ts";
import { padToWidth, textWidth } from "../screen/text-width.ts";
import type { Paint } from "./paint.ts";

/** Returns a diff of git, with colours at a terminal. */
export function diffText(paint: Paint, diff: string): string {
  return diff
    .split("\n")
    .map((line) => paintedLine(paint, line))
    .join("\n");
}

function paintedLine(paint: Paint, line: string): string {
  if (/^(?:diff --git|index |--- |\+\+\+ |new file|deleted file|rename |similarity )/u.test(line))
    return paint.bold(line);
  if (line.startsWith("@@")) return paint.dim(line);
  if (line.startsWith("+")) return paint.good(line);
  return line.startsWith("-") ? paint.bad(line) : line;
}

/** `3 files changed, +10 -2` */
function statText({ files, insertions, deletions }: { files: number; insertions: number; deletions: number }): string {
  return `${countOf(files, "file")} changed, +${insertions} -${deletions}`;
}

/** One line for each file: its name and how many lines were added and removed. */
export function filesText(paint: Paint, files: readonly ChangedFileView[]): string {
  const width = Math.max(0, ...files.map(({ path }) => textWidth(path)));
  return files
    .map(({ path, insertions, deletions }) => {
      const lines =
        insertions === null || deletions === null
          ? paint.dim("no text")
          : `${paint.good(`+${insertions}`)} ${paint.bad(`-${deletions}`)}`;
      return `  ${padToWidth(path, width)}  ${lines}\n`;
    })
    .join("");
}

/** One line about a worktree, for the end of `run` and for `ls`: its branch and what was changed. */
export function worktreeText({ branch, filesChanged, insertions, deletions, uncommitted }: WorktreeView): string {
  const stat = filesChanged === 0 ? "nothing changed" : statText({ files: filesChanged, insertions, deletions });
  return `${branch ?? "a worktree without a branch"}: ${stat}${uncommitted > 0 ? ", not all committed yet" : ""}`;
}
