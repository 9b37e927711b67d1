import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import type { Abilities } from "../../domain/trust/consent.ts";
import { AGENTS_FOLDER } from "../project/find-project.ts";
import { stampAt } from "../file-stamp.ts";

/** The code that a project brings for its own proposals. Nothing here is imported: files are read as text. */
export interface CodeFile {
  /** Relative to the project, with `/`. */
  readonly file: string;
  readonly text: string;
  readonly digest: string;
  /** Those directly in the folder define proposals. Those in folders below it are shared by them. */
  readonly isShared: boolean;
}

export const PROPOSALS_FOLDER = `${AGENTS_FOLDER}/proposals`;

const NAME = /^[\w-][\w.-]*\.(?:ts|mts|js|mjs)$/;
const NOT_CODE = /\.(?:d\.m?ts|test\.m?[jt]s)$/;
const FOLDER_NAME = /^[\w-][\w.-]*$/;
const MOST_FILES = 200;
const LARGEST_BYTES = 1024 * 1024;
const DEEPEST = 5;

/** Returns a function that reads the files. A file is read again when its times, size or inode change. */
export function createCodeFiles(projectDir: string): () => readonly CodeFile[] {
  const known = new Map<string, { readonly stamp: string; readonly code: CodeFile }>();
  return () => {
    const found = list(projectDir, PROPOSALS_FOLDER, 0).slice(0, MOST_FILES);
    for (const file of known.keys()) if (!found.includes(file)) known.delete(file);
    return found.flatMap((file) => {
      const path = join(projectDir, file);
      const stamp = stampAt(path);
      const before = known.get(file);
      if (before?.stamp === stamp) return [before.code];
      try {
        const text = readFileSync(path, "utf8");
        const digest = createHash("sha256").update(text).digest("hex").slice(0, 32);
        const isShared = posix.dirname(file) !== PROPOSALS_FOLDER;
        const code = { file, text, digest, isShared };
        known.set(file, { stamp, code });
        return [code];
      } catch {
        // It is gone, or may not be read.
        return [];
      }
    });
  };
}

/** Links are not followed: what they lead to is not in the project, or has another name there. */
function list(projectDir: string, folder: string, depth: number): readonly string[] {
  try {
    // Asked before each run, and most projects have no such folder.
    const isFolder = (path: string): boolean =>
      lstatSync(join(projectDir, path), { throwIfNoEntry: false })?.isDirectory() === true;
    if (depth === 0 && ![AGENTS_FOLDER, folder].every(isFolder)) return [];
    const entries = readdirSync(join(projectDir, folder), { withFileTypes: true });
    return entries
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap((entry) => {
        const path = `${folder}/${entry.name}`;
        if (entry.isDirectory()) {
          const skipped = !FOLDER_NAME.test(entry.name) || entry.name === "node_modules" || depth >= DEEPEST;
          return skipped ? [] : list(projectDir, path, depth + 1);
        }
        if (!entry.isFile() || !NAME.test(entry.name) || NOT_CODE.test(entry.name)) return [];
        return lstatSync(join(projectDir, path)).size > LARGEST_BYTES ? [] : [path];
      });
  } catch {
    return [];
  }
}

/** What a person allows: this file, with this content. */
export function codePower({ file, digest }: Pick<CodeFile, "file" | "digest">): string {
  return `run the code of ${file} inside the daemon, with all your rights (content ${digest})`;
}

export function codeAbilities(powers: readonly string[]): Abilities {
  return { owner: "the project", powers, rights: {} };
}
