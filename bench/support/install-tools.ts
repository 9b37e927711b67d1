import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** Installs a folder with a package.json of its own, whose packages only this bench needs, unless that was done before. */
export function installTools(folder: string, progress: (line: string) => void): void {
  if (existsSync(join(folder, "node_modules"))) return;
  progress(`installing ${folder}`);
  execFileSync("npm", ["ci", "--prefix", folder], { stdio: "ignore" });
}
