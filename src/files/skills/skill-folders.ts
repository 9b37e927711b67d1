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
/** Where Claude Code looks for them. */
const CLAUDE_SKILLS_FOLDER = [".claude", "skills"] as const;
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

/** A folder of skills below the project or the home folder. */
interface SkillsPlace {
  readonly scope: Skill["scope"];
  readonly root: string;
  readonly folder: readonly string[];
}

export function createSkills({ projectDir, homeDir }: SkillFolders): Skills {
  const places: readonly SkillsPlace[] = [
    { scope: "project", root: projectDir },
    { scope: "user", root: homeDir },
  ].flatMap(({ scope, root }) =>
    [SKILLS_FOLDER, CLAUDE_SKILLS_FOLDER].map((folder) => ({ scope: scope as Skill["scope"], root, folder })),
  );

  const find = async (): Promise<readonly (Skill & { readonly place: SkillsPlace })[]> => {
    const found = new Map<string, Skill & { readonly place: SkillsPlace }>();
    for (const place of places) {
      for (const name of namesIn(place)) {
        if (found.has(name) || found.size >= MAX_SKILLS) continue;
        const text = await readSkillFile(place, name, SKILL_FILE);
        if (!text.ok) continue;
        const source = await readSkillFile(place, name, SOURCE_FILE);
        found.set(name, {
          name,
          description: skillDescription(text.value),
          scope: place.scope,
          source: source.ok ? source.value.trim().slice(0, 500) : null,
          place,
        });
      }
    }
    return [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  };

  return {
    list: async () =>
      (await find()).map(({ name, description, scope, source }) => ({ name, description, scope, source })),
    read: async (name, file = SKILL_FILE) => {
      const skills = await find();
      const skill = skills.find((each) => each.name === name);
      if (skill === undefined) {
        const names = skills.map((each) => each.name);
        return refuse("not_found", `There is no skill "${name}".`, { hint: hintForUnknown(name, names, "skills") });
      }
      const path = checkFileName(file);
      if (!path.ok) return path;
      const files = filesOf(skill.place, name);
      const content = await readSkillFile(skill.place, name, path.value);
      if (content.ok) return ok({ content: content.value, files: files.filter((each) => each !== path.value) });
      if (content.error.code !== "not_found") return content;
      return refuse("not_found", `The skill "${name}" has no file "${file}".`, {
        hint: hintForUnknown(file, files, "files"),
      });
    },
  };
}

async function readSkillFile(
  { root, folder }: SkillsPlace,
  name: string,
  file: string,
): Promise<Result<string, Refusal>> {
  const path = [...folder, name, file].join("/");
  return readInside(root, path, { maxBytes: MAX_FILE_BYTES }, { hidden: true });
}

function namesIn({ root, folder: path }: SkillsPlace): readonly string[] {
  const opened = openFolder(root, path);
  if (!opened.ok) return [];
  using folder = opened.value;
  return readdirSync(folder.at(".")).filter(isSkillName).toSorted();
}

/** Lists files relative to the folder of the skill, without hidden files, links and unreadable files. */
function filesOf({ root, folder: path }: SkillsPlace, name: string): readonly string[] {
  const files: string[] = [];
  const visit = (inside: readonly string[]): void => {
    const opened = openFolder(root, [...path, name, ...inside]);
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
