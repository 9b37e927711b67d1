import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writeFileAtomic } from "../../../files/atomic-write.ts";
import { openFolder } from "../../../files/confined-folder.ts";
import { brokenFileHint } from "../../../domain/agent/broken-file.ts";
import { loadAgent } from "../../../files/definitions/load-definition.ts";
import { checkPrivateFile } from "../../../files/private-file.ts";
import { ignoreWorkingData } from "../../../files/project/ignore-working-data.ts";
import { loadProject, type LoadedProject } from "../../../files/project/load-project.ts";
import { parseYaml } from "../../../files/yaml/parse-yaml.ts";
import { formatProblem } from "../../../files/yaml/problem.ts";
import { hintForUnknown } from "../../../kernel/closest.ts";
import { Refused } from "../../refused.ts";

/**
 * A copy of an agent's definition that a person edits. It replaces the definition only when it is valid and the
 * definition has not changed. Until then the draft stays, so that no edit is lost.
 */
export interface AgentDraft {
  readonly path: string;
  /** True when the draft of an earlier edit was found. */
  readonly resumed: boolean;
  /** Path of the definition, relative to the project. */
  readonly file: string;
  /** The project before the edit. */
  readonly before: LoadedProject;
  /** Returns whether anything was changed. Throws Refused, and keeps the draft, when it cannot be published. */
  publish(): Promise<boolean>;
}

const FOLDERS = [".workspace", "drafts"];

export async function openAgentDraft(projectDir: string, name: string): Promise<AgentDraft> {
  const project = await loadProject(projectDir);
  const file = definitionFile(project, name);
  const original = join(projectDir, file);
  const folder = openFolder(projectDir, FOLDERS, { create: true });
  if (!folder.ok) throw new Refused(folder.error);
  folder.value[Symbol.dispose]();
  ignoreWorkingData(projectDir);
  const draftFile = `${FOLDERS.join("/")}/${name}.yaml`;
  const path = join(projectDir, draftFile);
  /** The definition at the time when the draft was begun. */
  const base = `${path}.base`;
  // An editor writes through links.
  const resumed = [path, base].map((each) => checkPrivateFile(each)).every((stats) => stats !== undefined);
  if (!resumed) {
    const text = readFileSync(original, "utf8");
    await writeFileAtomic(base, text);
    await writeFileAtomic(path, text);
  }
  const baseText = readFileSync(base, "utf8");
  const checkUnchanged = (): void => {
    if (readFileSync(original, "utf8") === baseText) return;
    throw new Refused({
      code: "conflict",
      message: `${file} was changed by somebody else after your draft was begun.`,
      hint: `What you wrote is in ${draftFile}. Take over what you need, delete the draft, and edit again.`,
    });
  };
  checkUnchanged();
  return {
    path,
    file,
    resumed,
    before: project,
    async publish() {
      const text = readFileSync(path, "utf8");
      if (text !== baseText) {
        const hint = `What you wrote is kept in ${draftFile}. Go on with: agent-worker agent edit ${name}`;
        checkDraft(projectDir, project, { name, file, text, hint });
        checkUnchanged();
        await writeFileAtomic(original, text, { label: file });
      }
      rmSync(path);
      rmSync(base);
      return text !== baseText;
    },
  };
}

function definitionFile(project: LoadedProject, name: string): string {
  const [mistake] = project.problems;
  if (!project.isRead && mistake !== undefined) {
    const hint = `Mend the project file first. ${brokenFileHint(mistake)}`;
    throw new Refused({ code: "invalid", message: `It is not known which file defines ${name}.`, hint });
  }
  const loaded = project.agents.get(name);
  if (loaded !== undefined && loaded.file === project.projectFile) {
    throw new Refused({
      code: "conflict",
      message: `${name} is written inside ${loaded.file}.`,
      hint: `Edit ${loaded.file} itself.`,
    });
  }
  // A file with mistakes defines no agent, but must be editable.
  const broken = project.problems.find(
    ({ file }) => /(^|\/)([^/]+)\.ya?ml$/.exec(file)?.[2] === name && file.startsWith(".agents/"),
  );
  const file = loaded?.file ?? project.broken.agents.get(name)?.file ?? broken?.file;
  if (file !== undefined) return file;
  throw new Refused({
    code: "not_found",
    message: `There is no file of an agent called "${name}".`,
    hint: `${hintForUnknown(name, [...project.agents.keys()], "agents")} Create it with: agent-worker agent create ${name}`,
  });
}

function checkDraft(
  projectDir: string,
  { settings }: LoadedProject,
  draft: { readonly name: string; readonly file: string; readonly text: string; readonly hint: string },
): void {
  const { name, file, text, hint } = draft;
  const { defaults, workspace } = settings;
  const parsed = parseYaml(file, text);
  const outcome = parsed.ok ? loadAgent(parsed.source, { projectDir, defaults, provider: workspace.provider }) : parsed;
  const loaded = "loaded" in outcome ? outcome.loaded : undefined;
  if (loaded === undefined) {
    const { problems } = outcome;
    const listed = problems.map(formatProblem).join("\n");
    throw new Refused({ code: "invalid", message: `The draft has mistakes.\n${listed}`, hint, details: { problems } });
  }
  if (loaded.definition.name !== name) {
    throw new Refused({
      code: "invalid",
      message: `The draft calls the agent "${loaded.definition.name}". A name cannot be edited: it would be somebody else.`,
      hint,
    });
  }
}
