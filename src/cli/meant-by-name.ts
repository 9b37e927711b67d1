import { existsSync } from "node:fs";
import { join } from "node:path";
import { AGENTS_FOLDER, enclosingProject, WORKFLOWS_FOLDER } from "../files/project/find-project.ts";
import { listGuides } from "./commands/help/guides.ts";
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
  const guide = listGuides().find(({ topic }) => topic === word);
  return guide === undefined ? undefined : { what: `It is a guide.`, hint: `Read it: agent-worker help ${word}` };
}
