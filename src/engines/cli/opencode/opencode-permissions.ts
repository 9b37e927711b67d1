import type { Permissions } from "../../../domain/agent/definition.ts";
import { allowsEverything, parsePattern } from "../../../domain/agent/permission.ts";
import { PRIVATE_NAMES, SHARED_EXAMPLES } from "../../../domain/agent/private-paths.ts";
import { PROGRAM_OPTIONS } from "../../../domain/agent/program-options.ts";
import { EngineFailure } from "../../../ports/engine.ts";
import { valueOrFailure } from "../../shared/failure-text.ts";

/**
 * An agent's `permissions` as rules of OpenCode, where the last rule that matches decides. A question would end
 * the turn, so ask rules become deny rules. Without rules the agent may only read.
 */
export type PermissionRules = Readonly<Record<string, Answer | Readonly<Record<string, Answer>>>>;
type Answer = "allow" | "deny";

/** Our tools and their names in OpenCode. Other names are not changed. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  bash: ["bash"],
  read_file: ["read"],
  write_file: ["edit"],
  list_files: ["list", "glob", "grep"],
};

const READ_ONLY = ["read", "list", "glob", "grep", "skill", "todowrite"];

/** `privateFolders` are the ends of paths. */
export function opencodePermissions(
  permissions: Permissions | undefined,
  mcpServers: readonly string[],
  privateFolders: readonly string[],
): PermissionRules {
  const { allow = [], ask = [], deny = [] } = permissions ?? {};
  const rules = new Map<string, Map<string, Answer>>();
  const rule = (name: string, subject: string, answer: Answer): void => {
    const subjects = rules.get(name) ?? new Map<string, Answer>();
    // Moved to the end, because the last rule that matches decides.
    rules.delete(name);
    subjects.delete(subject);
    rules.set(name, subjects.set(subject, answer));
  };

  rule("*", "*", "deny");
  for (const name of READ_ONLY) rule(name, "*", "allow");
  for (const server of mcpServers) rule(`${server}_*`, "*", "allow");
  if (allowsEverything(permissions)) rule("*", "*", "allow");
  for (const text of allow.filter((one) => one !== "*")) {
    for (const { name, subject } of rulesOf(text)) rule(name, allowed(text, subject), "allow");
  }
  for (const option of optionsToDeny(allow)) rule("bash", `*${option}*`, "deny");
  for (const name of PRIVATE_NAMES) {
    for (const subject of [name, `*/${name}`, `${name}/*`, `*/${name}/*`]) rule("read", subject, "deny");
  }
  for (const folder of privateFolders) {
    for (const subject of [`${folder}/*`, `*/${folder}/*`]) rule("read", subject, "deny");
  }
  for (const name of SHARED_EXAMPLES) rule("read", `*${name}`, "allow");
  for (const text of [...ask, ...deny]) {
    for (const { name, subject } of rulesOf(text)) {
      rule(name, subject ?? "*", "deny");
      // Paths are relative to the top of the repository, which may be above the project.
      if (subject !== null && name !== "bash") rule(name, `*/${subject}`, "deny");
    }
  }
  return Object.fromEntries([...rules].map(([name, subjects]) => [name, plain(Object.fromEntries(subjects))]));
}

/** Options that start another program, where a pattern with `*` would allow them without naming them. */
function optionsToDeny(allow: readonly string[]): readonly string[] {
  const open = allow.filter((text) => /^bash\(.*[^(].*\*/.test(text));
  return open.length === 0 ? [] : PROGRAM_OPTIONS.filter((option) => !open.some((text) => text.includes(option)));
}

/** Some tools of OpenCode accept only a single answer. */
function plain(subjects: Readonly<Record<string, Answer>>): Answer | Readonly<Record<string, Answer>> {
  const { "*": all, ...others } = subjects;
  return all !== undefined && Object.keys(others).length === 0 ? all : subjects;
}

function rulesOf(text: string): { readonly name: string; readonly subject: string | null }[] {
  const { tool, subject } = valueOrFailure(parsePattern(text));
  return (NAMES[tool] ?? [tool]).map((name) => ({ name, subject }));
}

/** In OpenCode `*` also matches `/`, so such a pattern would allow more than it says. */
function allowed(text: string, subject: string | null): string {
  if (subject === null) return "*";
  if (!text.startsWith("bash") && subject.replaceAll("**", "").includes("*")) {
    throw new EngineFailure(
      "permanent",
      `OpenCode cannot keep to the permission "${text}": its * crosses folders. Write ** where that is meant, or name the files.`,
    );
  }
  return subject;
}
