import type { SystemPrompt } from "../../../domain/agent/definition.ts";
import type { YamlPath } from "../../yaml/problem.ts";
import type { Report } from "../../yaml/report.ts";
import type { PromptFile } from "../schema/runtime-schema.ts";

/** A `system_prompt` of one word with one of these endings names a file. */
const OLD_PATH = /^\S+\.(?:md|txt)$/iu;

/** Returns the system prompt of an agent. `systemFile` is still as written; `system-prompt-file.ts` resolves it. */
export function normalisePrompt(file: PromptFile, path: YamlPath, report: Report): SystemPrompt | undefined {
  const { prompt, system_prompt: old } = file;
  if (prompt !== undefined && old !== undefined) {
    report.error([...path, "system_prompt"], `"prompt" and "system_prompt" cannot both be given.`, {
      hint: "Keep prompt; system_prompt is its old spelling.",
      part: "key",
    });
    return undefined;
  }
  if (old !== undefined) return OLD_PATH.test(old.trim()) ? { systemFile: old.trim() } : { system: old };
  if (prompt === undefined) {
    report.error(path, `"prompt" is missing.`, {
      hint: "Add prompt: with system: or system_file: below it.",
      part: "key",
    });
    return undefined;
  }
  if (prompt.system !== undefined && prompt.system_file !== undefined) {
    report.error([...path, "prompt", "system_file"], `"system" and "system_file" cannot both be given.`, {
      hint: "Keep one of the two.",
      part: "key",
    });
    return undefined;
  }
  if (prompt.system !== undefined) return { system: prompt.system };
  if (prompt.system_file !== undefined) return { systemFile: prompt.system_file };
  report.error([...path, "prompt"], `"prompt" needs "system" or "system_file".`, { part: "key" });
  return undefined;
}
