import { lstatSync, readdirSync } from "node:fs";
import { hintForUnknown } from "../../kernel/closest.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { Skill, Skills } from "../../ports/skills.ts";
import { openFolder, type Folder } from "../confined-folder.ts";
import { checkFileName, readInside } from "../confined-path.ts";
import { skillDescription } from "./skill-file.ts";

/** The skills on the disk. They are read at each call, so that an edit applies to the next run. */
export const SKILL_FILE = "SKILL.md";
export const SKILLS_FOLDER = [".agents", "skills"] as const;
/** File in the folder of an imported skill that names its origin. */
export const SOURCE_FILE = ".skill-source";

const MAX_FILE_BYTES = 1024 * 1024;
const MAX_SKILLS = 200;
const MAX_FILES = 200;
const MAX_DEPTH = 6;

const SKILL_NAME = /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$/;

export function isSkillName(name: string): boolean {
  return SKILL_NAME.test(name) && checkFileName(name, { flat: true }).ok;
}

export interface SkillFolders {
  readonly projectDir: string;
  /** The home folder of the person. */
  readonly homeDir: string;
}

export function createSkills({ projectDir, homeDir }: SkillFolders): Skills {
  const scopes = [
    { scope: "project", root: projectDir },
    { scope: "user", root: homeDir },
  ] as const;

  const list = async (): Promise<readonly Skill[]> => {
    const found = new Map<string, Skill>();
    for (const { scope, root } of scopes) {
      for (const name of namesIn(root)) {
        if (found.has(name) || found.size >= MAX_SKILLS) continue;
        const text = await readSkillFile(root, name, SKILL_FILE);
        if (!text.ok) continue;
        const source = await readSkillFile(root, name, SOURCE_FILE);
        found.set(name, {
          name,
          description: skillDescription(text.value),
          scope,
          source: source.ok ? source.value.trim().slice(0, 500) : null,
        });
      }
    }
    return [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  };

  return {
    list,
    read: async (name, file = SKILL_FILE) => {
      const skills = await list();
      const skill = skills.find((each) => each.name === name);
      if (skill === undefined) {
        const names = skills.map((each) => each.name);
        return refuse("not_found", `There is no skill "${name}".`, { hint: hintForUnknown(name, names, "skills") });
      }
      const root = skill.scope === "project" ? projectDir : homeDir;
      const path = checkFileName(file);
      if (!path.ok) return path;
      const files = filesOf(root, name);
      const content = await readSkillFile(root, name, path.value);
      if (content.ok) return ok({ content: content.value, files: files.filter((each) => each !== path.value) });
      if (content.error.code !== "not_found") return content;
      return refuse("not_found", `The skill "${name}" has no file "${file}".`, {
        hint: hintForUnknown(file, files, "files"),
      });
    },
  };
}

async function readSkillFile(root: string, name: string, file: string): Promise<Result<string, Refusal>> {
  const path = [...SKILLS_FOLDER, name, file].join("/");
  return readInside(root, path, { maxBytes: MAX_FILE_BYTES }, { hidden: true });
}

function namesIn(root: string): readonly string[] {
  const opened = openFolder(root, SKILLS_FOLDER);
  if (!opened.ok) return [];
  using folder = opened.value;
  return readdirSync(folder.at(".")).filter(isSkillName).toSorted();
}

/** Lists files relative to the folder of the skill, without hidden files, links and unreadable files. */
function filesOf(root: string, name: string): readonly string[] {
  const files: string[] = [];
  const visit = (inside: readonly string[]): void => {
    const opened = openFolder(root, [...SKILLS_FOLDER, name, ...inside]);
    if (!opened.ok || inside.length > MAX_DEPTH) return;
    using folder: Folder = opened.value;
    for (const entry of readdirSync(folder.at(".")).toSorted()) {
      if (files.length >= MAX_FILES || !checkFileName(entry, { flat: true }).ok) continue;
      const stats = lstatSync(folder.at(entry), { throwIfNoEntry: false });
      if (stats?.isDirectory() === true) visit([...inside, entry]);
      else if (stats?.isFile() === true) files.push([...inside, entry].join("/"));
    }
  };
  visit([]);
  return files;
}
