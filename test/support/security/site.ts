import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { CommandedDaemon } from "../daemon/commanded-daemon.ts";
import { runInstalled, type Answer } from "../daemon/installed-command.ts";
import { agentFile, workflowFile } from "../team/team.ts";

/** A project that was never opened, with a folder of somebody else beside it. */
export interface Site {
  readonly project: string;
  in(path: string): string;
  elsewhere(path: string): string;
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Answer>;
}

/** Alice, a workspace with mirrors in `.workspace`, and one in a folder that the user chose. */
export const SITE_FILES: Readonly<Record<string, string>> = {
  ...agentFile("alice"),
  ...workflowFile("notes", "workspace: { provider: file }\nagents: { alice: { ref: alice } }\n"),
  ...workflowFile("bound", "workspace: { provider: file, bind: ./shared }\nagents: { alice: { ref: alice } }\n"),
};

/** Deleted together with the daemon's folder. */
export function newSite(daemon: CommandedDaemon, files: Readonly<Record<string, string>> = {}): Site {
  const folder = mkdtempSync(join(dirname(daemon.home), "site-"));
  const project = join(folder, "project");
  mkdirSync(join(folder, "elsewhere"));
  for (const [path, text] of Object.entries({ ...SITE_FILES, ...files })) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
  return {
    project,
    in: (path) => join(project, path),
    elsewhere: (path) => join(folder, "elsewhere", path),
    run: (args, env = {}) => runInstalled(args, { cwd: project, env: { ...daemon.env, ...env } }),
  };
}
