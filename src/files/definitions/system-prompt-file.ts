import { posix } from "node:path";
import type { SystemPrompt } from "../../domain/agent/definition.ts";
import { err, ok } from "../../kernel/result.ts";
import type { Result } from "../../kernel/result.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { quoted } from "../yaml/excerpt.ts";
import { projectPath } from "../project-path.ts";
import { checkTextInside, readTextInside } from "../read-text.ts";

const MAX_PROMPT_BYTES = 1024 * 1024;

/**
 * The project-relative path of a `system_file`: first next to the definition that names it, then from the project.
 * Both must be inside the project and must not pass through a link.
 */
export function locateSystemFile(projectDir: string, definitionFile: string, written: string): Result<string, Refusal> {
  const looked: string[] = [];
  let refusal: Refusal | undefined;
  for (const folder of [posix.dirname(definitionFile), "."]) {
    const path = projectPath(written, folder);
    const found = path.ok ? checkTextInside(projectDir, path.value) : path;
    if (path.ok && found.ok) return path;
    if (path.ok && !looked.includes(path.value)) looked.push(path.value);
    if (!found.ok && found.error.code !== "not_found") refusal ??= found.error;
  }
  if (refusal !== undefined && (looked.length === 0 || refusal.code !== "invalid")) return err(refusal);
  return refuse("not_found", `The prompt file ${quoted(written)} does not exist.`, {
    hint: `Looked for ${looked.join(" and ")}.`,
  });
}

/** The text of an agent's prompt, read anew at each call so that an edited file counts from the next run on. */
export function readSystemPrompt(projectDir: string, prompt: SystemPrompt): Result<string, Refusal> {
  if ("system" in prompt) return ok(prompt.system);
  const read = readTextInside(projectDir, prompt.systemFile, MAX_PROMPT_BYTES);
  if (read.ok) return read;
  return refuse(read.error.code, `The prompt file ${quoted(prompt.systemFile)} cannot be used. ${read.error.message}`, {
    hint: read.error.hint ?? "Restore the file, or change system_file.",
  });
}
