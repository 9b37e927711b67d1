import { posix } from "node:path";
import type { SystemPrompt } from "../../domain/agent/definition.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { err, ok } from "../../kernel/result.ts";
import type { Result } from "../../kernel/result.ts";
import { projectPath } from "../project-path.ts";
import { checkTextInside, readTextInside } from "../read-text.ts";
import { quoted } from "../yaml/excerpt.ts";

const MAX_PROMPT_BYTES = 1024 * 1024;

/**
 * Returns the project-relative path of a `system_file`. It is looked for beside the definition that names it, then
 * relative to the project. It must be inside the project and must not pass through a link.
 */
export function locateSystemFile(projectDir: string, definitionFile: string, written: string): Result<string, Refusal> {
  const tried: string[] = [];
  let refusal: Refusal | undefined;
  for (const folder of [posix.dirname(definitionFile), "."]) {
    const path = projectPath(written, folder);
    const found = path.ok ? checkTextInside(projectDir, path.value) : path;
    if (path.ok && found.ok) return path;
    if (path.ok && !tried.includes(path.value)) tried.push(path.value);
    if (!found.ok && found.error.code !== "not_found") refusal ??= found.error;
  }
  if (refusal !== undefined && (tried.length === 0 || refusal.code !== "invalid")) return err(refusal);
  return refuse("not_found", `The prompt file ${quoted(written)} does not exist.`, {
    hint: `Looked for ${tried.join(" and ")}.`,
  });
}

/** Returns the text of an agent's system prompt. Reads the file at each call, so that an edit applies to the next run. */
export function readSystemPrompt(projectDir: string, prompt: SystemPrompt): Result<string, Refusal> {
  if ("system" in prompt) return ok(prompt.system);
  const read = readTextInside(projectDir, prompt.systemFile, MAX_PROMPT_BYTES);
  if (read.ok) return read;
  return refuse(read.error.code, `The prompt file ${quoted(prompt.systemFile)} cannot be used. ${read.error.message}`, {
    hint: read.error.hint ?? "Restore the file, or change system_file.",
  });
}
