import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { repository } from "./team/planted-project.ts";

/** Builds and packs a copy of the repository in this folder. Returns the path of the package file. */
export function packIn(folder: string): string {
  const copy = join(folder, "copy");
  for (const name of readdirSync(repository)) {
    if (["node_modules", "dist", ".git", "test"].includes(name)) continue;
    cpSync(join(repository, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(repository, "node_modules"), join(copy, "node_modules"));
  const inCopy = { cwd: copy, encoding: "utf8", stdio: "pipe" } as const;
  execFileSync(process.execPath, ["scripts/build.ts"], inCopy);
  const [packed] = JSON.parse(execFileSync("npm", ["pack", "--json", "--ignore-scripts"], inCopy)) as {
    filename: string;
  }[];
  return join(copy, packed?.filename ?? "");
}
