import { execFileSync } from "node:child_process";

/** Git as a person of the test uses it, in a folder. Returns what it prints. */
export type PersonsGit = (...args: readonly string[]) => string;

export function personsGit(folder: string): PersonsGit {
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    LC_ALL: "C",
  };
  return (...args) =>
    execFileSync("git", ["-c", "user.name=Zoë", "-c", "user.email=zoe@example.com", ...args], {
      cwd: folder,
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    }).trim();
}

/** Makes the folder a repository with one commit of everything in it. */
export function makeRepository(folder: string): PersonsGit {
  const git = personsGit(folder);
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("commit", "-q", "-m", "first");
  return git;
}
