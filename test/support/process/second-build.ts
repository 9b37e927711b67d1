import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder, type TemporaryFolder } from "../temporary-folder.ts";

const REPOSITORY = join(import.meta.dirname, "../../..");

/** The program once more, in a folder of its own, as another build of the same number. */
export interface SecondBuild extends TemporaryFolder {
  readonly command: string;
  readonly hash: string;
}

export function secondBuild(hash = "0ther0ne"): SecondBuild {
  const folder = temporaryFolder();
  for (const part of ["bin", "src", "package.json"])
    cpSync(join(REPOSITORY, part), folder.in(part), { recursive: true });
  mkdirSync(folder.in("node_modules/.cache/agent-worker"), { recursive: true });
  for (const name of readdirSync(join(REPOSITORY, "node_modules"))) {
    if (!name.startsWith(".")) symlinkSync(join(REPOSITORY, "node_modules", name), folder.in(`node_modules/${name}`));
  }
  writeFileSync(folder.in("node_modules/.cache/agent-worker/build.json"), JSON.stringify({ hash }));
  return { ...folder, command: folder.in("bin/agent-worker.js"), hash };
}
