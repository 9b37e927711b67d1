import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { writePrivateFile } from "../files/private-file.ts";
import type { Log } from "../kernel/log.ts";

/**
 * The projects that a daemon has open, stored in its home. The next daemon opens them at its start, so that their work
 * goes on and their schedules fire before any request names them. A project without work is removed when its daemon
 * stops. If the list cannot be read or written, a project is opened by its first request instead.
 */
export interface KnownProjects {
  list(): readonly string[];
  remember(dir: string): void;
  forget(dir: string): void;
}

export const KNOWN_PROJECTS_FILE = "projects.json";
const MOST = 100;
const listed = z.object({ projects: z.array(z.string()) });

export function openKnownProjects(home: string, log: Log): KnownProjects {
  const path = join(home, KNOWN_PROJECTS_FILE);
  let projects = read(path);

  const write = (changed: readonly string[]): void => {
    projects = changed;
    try {
      writePrivateFile(path, `${JSON.stringify({ projects }, null, 2)}\n`);
    } catch (error) {
      log.warn("the list of open projects could not be written", { error });
    }
  };
  return {
    list: () => projects,
    remember(dir) {
      if (!projects.includes(dir)) write([...projects, dir].slice(-MOST));
    },
    forget(dir) {
      if (projects.includes(dir)) write(projects.filter((each) => each !== dir));
    },
  };
}

function read(path: string): readonly string[] {
  try {
    return listed.parse(JSON.parse(readFileSync(path, "utf8"))).projects;
  } catch {
    return [];
  }
}
