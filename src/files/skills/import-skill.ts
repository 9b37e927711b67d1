import { randomBytes } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { Clock } from "../../kernel/clock.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { Skill } from "../../ports/skills.ts";
import { openFolder, type Folder } from "../confined-folder.ts";
import { checkFileName, foldName } from "../confined-path.ts";
import { fileFault } from "../file-fault.ts";
import { withFileLock } from "../file-lock.ts";
import { openGitTree } from "./git-tree.ts";
import { skillDescription } from "./skill-file.ts";
import { isSkillName, SKILL_FILE, SKILLS_FOLDER, SOURCE_FILE } from "./skill-folders.ts";
import { parseSkillSource } from "./skill-source.ts";
import { openFolderTree, type SourceEntry, type SourceTree } from "./source-tree.ts";

/**
 * Copies a skill into `.agents/skills/`. Names, links, number and size of the files are checked before anything is
 * written. The skill appears atomically under its name. Nothing of it is executed.
 */
export interface ImportOptions {
  /** The project, or the home folder for a skill of all projects. */
  readonly root: string;
  readonly scope: Skill["scope"];
  readonly clock: Clock;
  /** Replace a skill of the same name. Default: refuse with `conflict`. */
  readonly replace?: boolean;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

const MAX_FILES = 200;
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_BYTES = 5 * 1024 * 1024;
const UNFINISHED = /^\.(?:adding|replaced)-[0-9a-f]+$/;

/** Imports the skill at `source`: see `skill-source.ts`. Refuses a source with several skills and lists their names. */
export async function importSkill(source: string, options: ImportOptions): Promise<Result<Skill, Refusal>> {
  const parsed = parseSkillSource(source);
  if (!parsed.ok) return parsed;
  const { environment = process.env } = options;
  const opened =
    parsed.value.kind === "folder"
      ? openFolderTree(parsed.value.path.replace(/^~(?=\/)/, homedir()))
      : await openGitTree(parsed.value, options.clock, environment);
  if (!opened.ok) return opened;
  await using tree = opened.value;
  const chosen = chooseSkill(tree, source);
  if (!chosen.ok) return chosen;
  const contents = await tree.read(chosen.value.files.map(({ entry }) => entry));
  if (!contents.ok) return contents;
  return await install(chosen.value, contents.value, tree.origin, options);
}

interface ChosenSkill {
  readonly name: string;
  readonly files: readonly { readonly path: string; readonly entry: SourceEntry }[];
}

function chooseSkill(tree: SourceTree, source: string): Result<ChosenSkill, Refusal> {
  const folders = tree.entries
    .filter(({ path, kind }) => kind === "file" && (path === SKILL_FILE || path.endsWith(`/${SKILL_FILE}`)))
    .map(({ path }) => (path === SKILL_FILE ? "" : dirname(path)));
  const folder = folders.includes("") ? "" : folders[0];
  if (folder === undefined) {
    return refuse("not_found", `${source} holds no skill: there is no ${SKILL_FILE}.`, {
      hint: "Name the folder of one.",
    });
  }
  if (folder !== "" && folders.length > 1) {
    return refuse("conflict", `${source} holds ${folders.length} skills.`, {
      hint: `Name the folder of one: ${folders.slice(0, 20).join(", ")}.`,
      details: { skills: folders },
    });
  }
  const name = folder === "" ? tree.name : (folder.split("/").at(-1) ?? "");
  if (!isSkillName(name)) {
    return refuse("invalid", `"${name}" cannot be the name of a skill.`, {
      hint: "Rename its folder: letters, digits, . _ -",
    });
  }
  const inside = tree.entries.flatMap((entry) => {
    const path =
      folder === "" ? entry.path : entry.path.startsWith(`${folder}/`) ? entry.path.slice(folder.length + 1) : "";
    return path === "" || path.split("/").some((part) => part.startsWith(".")) ? [] : [{ path, entry }];
  });
  return checkFiles(name, inside);
}

function checkFiles(name: string, files: ChosenSkill["files"]): Result<ChosenSkill, Refusal> {
  const seen = new Set<string>();
  let bytes = 0;
  for (const { path, entry } of files) {
    const checked = checkFileName(path);
    if (!checked.ok) return checked;
    if (entry.kind !== "file") {
      return refuse("forbidden", `The skill ${name} is refused: "${path}" is a link or a submodule.`, {
        hint: "A skill is made of regular files only.",
      });
    }
    if (seen.has(foldName(path))) return refuse("conflict", `The skill ${name} has "${path}" in two spellings.`);
    seen.add(foldName(path));
    bytes += entry.bytes;
    if (entry.bytes > MAX_FILE_BYTES || bytes > MAX_BYTES || seen.size > MAX_FILES) {
      return refuse("too_large", `The skill ${name} is too large at "${path}".`, {
        hint: `At most ${MAX_FILES} files, ${MAX_FILE_BYTES} bytes each and ${MAX_BYTES} together.`,
      });
    }
  }
  return ok({ name, files });
}

async function install(
  { name, files }: ChosenSkill,
  contents: readonly Uint8Array[],
  origin: string,
  { root, scope, clock, replace }: ImportOptions,
): Promise<Result<Skill, Refusal>> {
  const opened = openFolder(root, SKILLS_FOLDER, { create: true });
  if (!opened.ok) return opened;
  using folder = opened.value;
  return await withFileLock(folder.at(".lock"), clock, async () => {
    try {
      const names = readdirSync(folder.at("."));
      for (const unfinished of names.filter((each) => UNFINISHED.test(each))) remove(folder, unfinished);
      const taken = names.find((each) => foldName(each) === foldName(name));
      // An empty folder holds nothing that could be lost.
      const isFree = taken === undefined || (taken === name && (replace === true || isEmpty(folder.at(taken))));
      if (!isFree) {
        const isSkill = lstatSync(join(folder.at(taken), SKILL_FILE), { throwIfNoEntry: false }) !== undefined;
        const what = isSkill
          ? `a skill "${taken}"`
          : `a folder ${[...SKILLS_FOLDER, taken].join("/")}, without ${SKILL_FILE},`;
        return refuse("conflict", `There is ${what} already.`, {
          hint: taken === name ? "Take its place with --replace." : "Rename one of the two.",
        });
      }
      const suffix = randomBytes(8).toString("hex");
      const staged = `.adding-${suffix}`;
      mkdirSync(folder.at(staged), { mode: 0o755 });
      for (const [index, { path, entry }] of files.entries()) {
        const target = join(folder.at(staged), path);
        mkdirSync(dirname(target), { recursive: true });
        writeFileSync(target, contents[index] ?? "", {
          flag: "wx",
          mode: entry.executable ? 0o755 : 0o644,
          flush: true,
        });
      }
      writeFileSync(join(folder.at(staged), SOURCE_FILE), `${origin}\n`, { mode: 0o644, flush: true });
      if (lstatSync(folder.at(name), { throwIfNoEntry: false }) !== undefined) {
        renameSync(folder.at(name), folder.at(`.replaced-${suffix}`));
      }
      renameSync(folder.at(staged), folder.at(name));
      remove(folder, `.replaced-${suffix}`);
    } catch (error) {
      throw fileFault("write", `the skill ${name}`, error);
    }
    const text = Buffer.from(contents[files.findIndex(({ path }) => path === SKILL_FILE)] ?? "").toString("utf8");
    return ok({ name, description: skillDescription(text), scope, source: origin });
  });
}

function isEmpty(path: string): boolean {
  return lstatSync(path).isDirectory() && readdirSync(path).length === 0;
}

function remove(folder: Folder, name: string): void {
  rmSync(folder.at(name), { recursive: true, force: true });
}
