import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { nameKey } from "../../domain/names.ts";
import { systemClock } from "../../kernel/clock.ts";
import type { DefinitionProblem } from "../../ports/definitions.ts";
import type { MemoryEntry } from "../../ports/personal-context.ts";
import { createPersonalFiles } from "../personal/personal-files.ts";
import { SKILLS_FOLDER } from "../skills/skill-folders.ts";
import { problem, START_OF_FILE } from "../yaml/problem.ts";
import { AGENTS_FOLDER } from "./find-project.ts";
import type { LoadedProject } from "./load-project.ts";
import { contextFolderOf, PERSONAL_ENTRIES } from "./personal-folder.ts";

/**
 * Returns what is wrong with the personal contexts of the agents: folders that are files, souls and memory files that
 * cannot be read, memories that are written twice, and folders that belong to no agent any more.
 */
export async function checkPersonalFiles(
  projectDir: string,
  project: Pick<LoadedProject, "agents" | "problems" | "isRead" | "settings">,
): Promise<readonly DefinitionProblem[]> {
  // Which folders belong to whom is not known then.
  if (!project.isRead) return [];
  if (project.settings.context.provider === "store") return unusedFiles(projectDir, project);
  const problems: DefinitionProblem[] = [];
  for (const { definition } of project.agents.values()) {
    problems.push(...(await checkContext(projectDir, contextFolderOf(definition))));
  }
  return [...problems, ...foldersOfNobody(projectDir, project)];
}

/** Personal contexts are in the store: files of them are copies that nobody reads. */
function unusedFiles(projectDir: string, { agents }: Pick<LoadedProject, "agents">): DefinitionProblem[] {
  return [...agents.values()].flatMap(({ definition }) => {
    const folder = contextFolderOf(definition);
    if (!PERSONAL_ENTRIES.some((entry) => holdsSomething(projectDir, `${folder}/${entry}`))) return [];
    const message = `What is in ${folder}/ is not used: the project keeps personal contexts in its store.`;
    const hint = "Bring it in with: agent-worker context import. Then move the folder away.";
    return [problem(folder, START_OF_FILE, message, { severity: "warning", hint })];
  });
}

async function checkContext(projectDir: string, folder: string): Promise<DefinitionProblem[]> {
  const personal = createPersonalFiles({ root: projectDir, dir: folder, clock: systemClock, newId: () => "" });
  if (!personal.ok) return [];
  const whole = personal.value.problems().map(({ file, line, message, hint }) => {
    return problem(file, { ...START_OF_FILE, line }, message, { hint });
  });
  if (whole.some(({ file }) => file === folder)) return whole;
  const { entries, problems } = await personal.value.memory.list();
  const broken = problems.map(({ file, line, message }) => {
    const path = file === "." ? folder : `${folder}/memory/${file}`;
    const hint = file === "." ? "Make it a folder." : "Correct the file; what it holds is not known to the agent.";
    return problem(path, { ...START_OF_FILE, line: line ?? 1 }, message, { hint });
  });
  return [...whole, ...broken, ...writtenTwice(entries, `${folder}/memory`)];
}

function writtenTwice(entries: readonly MemoryEntry[], folder: string): DefinitionProblem[] {
  const first = new Map<string, string>();
  return entries.flatMap(({ key, file }) => {
    const other = first.get(key);
    if (other === undefined) first.set(key, file);
    if (other === undefined) return [];
    const message = `The memory "${key}" is also written in ${folder}/${other}, which is the one that counts.`;
    return [
      problem(`${folder}/${file}`, START_OF_FILE, message, { severity: "warning", hint: "Keep one of the two." }),
    ];
  });
}

/**
 * An agent that was renamed has a new folder; what it knew is in the old one. Which agent that was can be said only when
 * its file still has the old name.
 */
function foldersOfNobody(
  projectDir: string,
  { agents, problems }: Pick<LoadedProject, "agents" | "problems">,
): DefinitionProblem[] {
  const owned = new Set([...agents.values()].map(({ definition }) => nameKey(contextFolderOf(definition))));
  const brokenFiles = new Set(problems.filter(({ severity }) => severity === "error").map(({ file }) => file));
  const folders = personalFolders(projectDir).filter((name) => !owned.has(nameKey(`${AGENTS_FOLDER}/${name}`)));
  return folders.flatMap((name) => {
    const folder = `${AGENTS_FOLDER}/${name}`;
    if (["yaml", "yml"].some((ending) => brokenFiles.has(`${folder}.${ending}`))) return [];
    const message = `What was remembered in ${folder}/ belongs to no agent.`;
    const renamed = [...agents.values()].find(({ file }) => file.replace(/\.ya?ml$/iu, "") === folder);
    if (renamed === undefined) {
      const hint = `If an agent was called "${name}" before, write context: {dir: ${folder}} in its file. Else remove the folder.`;
      return [problem(folder, START_OF_FILE, message, { severity: "warning", hint })];
    }
    const { definition, file, namePlace } = renamed;
    const now = contextFolderOf(definition);
    const move = existsSync(join(projectDir, now)) ? "" : `move it: mv ${folder} ${now}. Or `;
    const hint = `If "${definition.name}" was called "${name}" before, ${move}write context: {dir: ${folder}}.`;
    return [problem(file, namePlace, message, { severity: "warning", hint })];
  });
}

function personalFolders(projectDir: string): string[] {
  return entriesOf(projectDir, AGENTS_FOLDER).filter(
    (name) =>
      name !== SKILLS_FOLDER[1] &&
      PERSONAL_ENTRIES.some((entry) => holdsSomething(projectDir, `${AGENTS_FOLDER}/${name}/${entry}`)),
  );
}

/** An agent leaves empty folders behind when everything in them was removed. */
function holdsSomething(projectDir: string, path: string): boolean {
  const isFolder = statSync(join(projectDir, path), { throwIfNoEntry: false })?.isDirectory();
  return isFolder === undefined ? false : !isFolder || entriesOf(projectDir, path).length > 0;
}

function entriesOf(projectDir: string, folder: string): string[] {
  try {
    return readdirSync(join(projectDir, folder));
  } catch {
    return [];
  }
}
