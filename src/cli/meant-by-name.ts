import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { AGENTS_FOLDER, enclosingProject, WORKFLOWS_FOLDER } from "../files/project/find-project.ts";
import { listGuides } from "./output/guides.ts";
import type { Terminal } from "./output/terminal.ts";

/** What a word in the place of a command names instead, and what to type for it; undefined when it names nothing. */
export function whatIsMeant(
  word: string,
  commands: readonly string[],
  { cwd, env }: Pick<Terminal, "cwd" | "env">,
): { readonly what: string; readonly hint: string } | undefined {
  const [verb, message] = commands.includes("chat") ? ["chat", ""] : ["send", ' "your message" --wait'];
  const talk = (target: string): string => `agent-worker ${verb} ${target}${message}`;
  if (/^@[\w-]+(:[\w.-]+)?$/.test(word)) {
    return {
      what: `${word} is a workspace.`,
      hint: `Talk in it: ${talk(word)}, or read it: agent-worker peek ${word}`,
    };
  }
  const project = enclosingProject(cwd, env["HOME"]);
  const isDefined = (folder: string): boolean =>
    project !== undefined && [".yaml", ".yml"].some((ending) => existsSync(join(project, folder, `${word}${ending}`)));
  if (!/^[\w-]+$/.test(word)) return undefined;
  if (isDefined(AGENTS_FOLDER)) return { what: `${word} is an agent.`, hint: `Talk to it: ${talk(word)}` };
  if (isDefined(WORKFLOWS_FOLDER)) return { what: `${word} is a workflow.`, hint: `Run it: agent-worker run ${word}` };
  const workflow = project === undefined ? undefined : workflowWith(project, word);
  if (workflow !== undefined) {
    const send = `agent-worker send ${word}@${workflow} "your message" --wait`;
    return {
      what: `${word} takes part in the workflow ${workflow}.`,
      hint: `Start it: agent-worker start ${workflow}, then: ${send}`,
    };
  }
  const guide = listGuides().find(({ topic }) => topic === word);
  return guide === undefined ? undefined : { what: `It is a guide.`, hint: `Read it: agent-worker help ${word}` };
}

/** Returns the workflow that has an agent of this name. The file is only looked at: it may have mistakes. */
function workflowWith(project: string, agent: string): string | undefined {
  const folder = join(project, WORKFLOWS_FOLDER);
  const file = globSync("*.{yaml,yml}", { cwd: folder }).find((each) =>
    agentKeys(readIfPossible(join(folder, each))).includes(agent),
  );
  return file === undefined ? undefined : basename(file, extname(file));
}

/** The keys below `agents:` that are as far indented as the first one. */
function agentKeys(text: string): string[] {
  const lines = text
    .slice(/^agents:[ \t]*(?:#.*)?\r?\n/m.exec(text)?.index ?? text.length)
    .split(/\r?\n/)
    .slice(1);
  const end = lines.findIndex((line) => /^[^\s#]/.test(line));
  const keys = (end === -1 ? lines : lines.slice(0, end)).map((line) => /^([ \t]+)([\w-]+):/.exec(line));
  const indent = keys.find((key) => key !== null)?.[1];
  return keys.flatMap((key) => (key !== null && key[1] === indent ? [key[2] ?? ""] : []));
}

function readIfPossible(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
