import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, normalize } from "node:path";
import type { AgentDefinition } from "../../domain/agent/definition.ts";
import { DEFAULT_ENGINE, projectSettingsOf } from "../../domain/agent/engines.ts";

/**
 * Command lines read settings of their own in the folder they work in, and some of these settings are commands to run. So
 * the files are powers of an agent that uses the program, by their content: another content is another power.
 */
export interface EngineSettings {
  powersOf(definition: AgentDefinition): readonly string[];
}

const MOST_FILES = 200;
/** A larger file is known by its time and size. */
const LARGEST_BYTES = 1024 * 1024;

export function createEngineSettings(projectDir: string): EngineSettings {
  /** Files are read again only when their time or size changes, because they are looked at before every run. */
  const digests = new Map<string, { readonly stamp: string; readonly digest: string }>();

  const digestOf = (path: string): string => {
    const { mtimeMs, ctimeMs, size, ino } = statSync(path);
    const stamp = `${mtimeMs} ${ctimeMs} ${size} ${ino}`;
    const known = digests.get(path);
    if (known?.stamp === stamp) return known.digest;
    const content = size > LARGEST_BYTES ? stamp : readFileSync(path);
    const digest = createHash("sha256").update(content).digest("hex").slice(0, 12);
    digests.set(path, { stamp, digest });
    return digest;
  };

  return {
    powersOf({ backend = DEFAULT_ENGINE, cwd = "." }) {
      const folders = [...new Set([".", normalize(cwd)])];
      return projectSettingsOf(backend)
        .flatMap((path) => folders.map((folder) => join(folder, path)))
        .flatMap((path) => {
          const files = filesAt(projectDir, path);
          if (files.length === 0) return [];
          const digest = digestOfAll(files.map((file) => `${file} ${digestOf(join(projectDir, file))}`));
          const count = files.length === 1 ? "" : ` (${files.length} files)`;
          return [`let its program read ${path}${count}, which may name commands to run (content ${digest})`];
        });
    },
  };
}

function digestOfAll(lines: readonly string[]): string {
  return createHash("sha256").update(lines.join("\n")).digest("hex").slice(0, 12);
}

/** Returns the file, or the files in the folder, relative to the project. */
function filesAt(projectDir: string, path: string): readonly string[] {
  const stats = statSync(join(projectDir, path), { throwIfNoEntry: false });
  if (stats === undefined) return [];
  if (stats.isFile()) return [path];
  if (!stats.isDirectory()) return [];
  return readdirSync(join(projectDir, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("node_modules"))
    .slice(0, MOST_FILES)
    .map(({ parentPath, name }) => join(parentPath, name).slice(projectDir.length + 1))
    .toSorted();
}
