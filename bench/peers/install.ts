import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const FOLDER = import.meta.dirname;

/** Installs the packages of the peers if they are not there. Returns why it could not, or undefined. */
export function installPeers(say: (line: string) => void): string | undefined {
  if (existsSync(join(FOLDER, "node_modules", ".package-lock.json"))) return undefined;
  say("installing the peers (npm ci in bench/peers)");
  const { status, stderr } = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], {
    cwd: FOLDER,
    encoding: "utf8",
    env: { ...process.env, ...headersOfThisNode() },
  });
  return status === 0 ? undefined : `npm ci failed: ${stderr.slice(-1_000)}`;
}

/** Where a package has to be compiled, it is compiled for the Node that runs this. */
function headersOfThisNode(): Record<string, string> {
  const bin = dirname(process.execPath);
  const packaged = join("node_modules", `node-${process.platform}-${process.arch}`);
  const roots = [dirname(bin), join(dirname(bin), packaged)];
  const root = roots.find((each) => existsSync(join(each, "include", "node", "node_version.h")));
  return root === undefined ? {} : { npm_config_nodedir: root };
}

export function versionOf(name: string): string {
  const file = join(FOLDER, "node_modules", name, "package.json");
  if (!existsSync(file)) return `${name} (not installed)`;
  return `${name} ${(JSON.parse(readFileSync(file, "utf8")) as { version: string }).version}`;
}
