import { createHash } from "node:crypto";
import { chmodSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Writes the hash that `--version` shows beside the number: of the program as a checkout or the package contains it. A
 * daemon and a command of two builds with one number are told apart by it. It is made once, never by a command.
 */
const root = join(import.meta.dirname, "../..");
const DIGITS = 8;

/** The files of a build, and where its hash is: `src/client/own-version.ts` reads it there. */
const BUILDS = {
  src: { sources: ["src/**", "web/src/**", "bin/**"], file: "node_modules/.cache/agent-worker/build.json" },
  dist: { sources: ["dist/**", "bin/**/*.js"], file: "dist/bundles/build.json" },
} as const;

export function writeBuildHash(from: keyof typeof BUILDS): void {
  const { sources, file } = BUILDS[from];
  const files = globSync([...sources], { cwd: root, withFileTypes: true, exclude: ["dist/bundles/**"] })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  const hash = createHash("sha256");
  for (const path of files)
    hash
      .update(`${path.slice(root.length)}\0`)
      .update(readFileSync(path))
      .update("\0");
  const target = join(root, file);
  mkdirSync(dirname(target), { recursive: true, mode: 0o755 });
  writeFileSync(target, JSON.stringify({ hash: hash.digest("hex").slice(0, DIGITS) }));
  chmodSync(target, 0o644);
}
