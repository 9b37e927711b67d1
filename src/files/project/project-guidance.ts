import { join, posix } from "node:path";
import { stampAt } from "../file-stamp.ts";
import { readTextInside } from "../read-text.ts";

/** What the people of a project wrote for every coding agent. */
export interface ProjectGuidance {
  /** Relative to the project. */
  readonly path: string;
  readonly text: string;
}

const FILE = "AGENTS.md";
const MISSING = { ok: false } as const;
const MAX_BYTES = 256 * 1024;

/**
 * Returns the nearest `AGENTS.md`: in the working directory of the agent, or in a folder above it, up to the project. Links
 * are not followed. Null when there is none that can be read. Agents cannot write it: see `whyOnlyPeopleWrite`.
 */
export function readGuidance(projectDir: string, cwd = "."): ProjectGuidance | null {
  for (let folder = posix.normalize(cwd); ; folder = posix.dirname(folder)) {
    const path = posix.join(folder, FILE);
    // Most folders have none: a look is cheaper than the careful way to open it.
    const read = stampAt(join(projectDir, path)) === "" ? MISSING : readTextInside(projectDir, path, MAX_BYTES);
    if (read.ok && read.value.trim() !== "") return { path, text: read.value };
    if (folder === ".") return null;
  }
}
