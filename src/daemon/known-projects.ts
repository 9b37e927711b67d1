import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Log } from "../kernel/log.ts";
import { writePrivateFile } from "./private-file.ts";

/**
 * Which projects a daemon has open, kept in its home, so that the next one opens them by itself: what was under way when
 * a daemon died goes on, and schedules fire, in every project and not only in those that somebody asks for. A project
 * that has nothing to do when its daemon stops is forgotten. The list is a convenience: one that cannot be read or
 * written only means that a project waits to be asked for.
 */
export interface KnownProjects {
  list(): readonly string[];
  remember(dir: string): void;
  forget(dir: string): void;
}

const FILE = "projects.json";
const MOST = 100;
const listed = z.object({ projects: z.array(z.string()) });

export function openKnownProjects(home: string, log: Log): KnownProjects {
  const path = join(home, FILE);
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
