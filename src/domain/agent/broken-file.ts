import { refuse, type Refusal } from "../../kernel/refusal.ts";
import type { Result } from "../../kernel/result.ts";

/** The part of a problem that says which file cannot be used, and why. */
export interface FileProblem {
  readonly severity: "error" | "warning";
  readonly file: string;
  readonly line: number;
  readonly message: string;
  readonly hint?: string;
}

const FOLDERS = { agent: ".agents/", workflow: ".workflows/" } as const;

/**
 * Returns a hint for a name that has a file, but one with a mistake: the file, the line, and the command that shows it.
 * Undefined when no broken file has this name.
 */
export function brokenFileOf(
  problems: readonly FileProblem[],
  kind: keyof typeof FOLDERS,
  name: string,
): string | undefined {
  const other = FOLDERS[kind === "agent" ? "workflow" : "agent"];
  const broken = problems.find(
    ({ severity, file }) => severity === "error" && stemOf(file) === name && !file.startsWith(other),
  );
  return broken === undefined ? undefined : brokenFileHint(broken);
}

/** Says where the mistake is, and which command shows it. */
export function brokenFileHint({ file, line, message, hint }: FileProblem): string {
  const more = hint === undefined ? "" : ` ${hint}`;
  return `Its file has a mistake: ${file}:${line}: ${message}${more} See: agent-worker check ${file}`;
}

/** Refuses what has a file with a mistake: it exists, and cannot be used. */
export function refuseBroken(kind: keyof typeof FOLDERS, name: string, problem: FileProblem): Result<never, Refusal> {
  return refuse("invalid", `The ${kind} "${name}" cannot be used.`, {
    hint: brokenFileHint(problem),
    details: { kind, name },
  });
}

/** Returns the files of agents, or of workflows, that cannot be used. */
export function brokenFiles(problems: readonly FileProblem[], kind: keyof typeof FOLDERS): string[] {
  const files = problems.filter(({ severity, file }) => severity === "error" && file.startsWith(FOLDERS[kind]));
  return [...new Set(files.map(({ file }) => file))];
}

/** Name of a file without its folders and its ending. */
function stemOf(file: string): string {
  return file.slice(file.lastIndexOf("/") + 1).replace(/\.ya?ml$/iu, "");
}
