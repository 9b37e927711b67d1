import { spawnSync } from "node:child_process";

/**
 * Returns the path of a shell. Where it is missing and this is a Debian machine with a person who may install, it is
 * installed; otherwise it is said that what needs it is skipped, and undefined is returned.
 */
export function installedShell(name: "bash" | "zsh" | "fish"): string | undefined {
  const found = find(name);
  if (found !== undefined) return found;
  const isRoot = process.getuid?.() === 0;
  if (isRoot && find("apt-get") !== undefined) {
    spawnSync("apt-get", ["install", "-y", "-q", name], {
      stdio: "ignore",
      timeout: 120_000,
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    });
  }
  const installed = find(name);
  if (installed === undefined) console.log(`${name} is not installed and could not be: its completion was not tried.`);
  return installed;
}

function find(program: string): string | undefined {
  const { stdout } = spawnSync("/bin/sh", ["-c", `command -v ${program}`], { encoding: "utf8" });
  return stdout.trim() === "" ? undefined : stdout.trim();
}
