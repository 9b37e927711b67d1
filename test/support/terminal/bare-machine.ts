import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";

/** What a newcomer has: Node, npm, git and the plain programs of a system. No command line of a vendor. */
const PROGRAMS = ["npm", "git", "bash", "sh", "env", "ls", "cat", "head", "uname", "ps", "sleep", "mkdir", "rm"];

/** Makes a folder with these programs, to be the whole PATH. Returns it. */
export function bareMachine(folder: string): string {
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  symlinkSync(process.execPath, join(bin, "node"));
  for (const name of PROGRAMS) {
    const path = execFileSync("/bin/sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();
    if (path.startsWith("/")) symlinkSync(path, join(bin, name));
  }
  return bin;
}
