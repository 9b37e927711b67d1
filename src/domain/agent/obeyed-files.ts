/**
 * Files that only people write, because they change an agent, its permissions or what other programs do on this machine.
 * Paths are relative to the project.
 */
const OBEYED: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^\.(agents|workflows)(\/|$)/i, "definitions of agents and workflows are changed by people."],
  [/^(moniro\.ya?ml|\.agents\.ya?ml)$/i, "the project file is changed by people."],
  [/(^|\/)soul\.yaml$/i, "what an agent learns about itself is approved by people."],
  [/^\.workspace(\/|$)/i, "it belongs to the daemon."],
  [/(^|\/)\.git(\/|$)/i, "it belongs to git."],
  [/(^|\/)\.(gitmodules|gitattributes|gitconfig)$/i, "it says which programs git starts."],
  [/(^|\/)(\.mcp\.json|opencode\.jsonc?)$/i, "it says which programs another tool starts."],
  [/(^|\/)\.(claude|cursor|codex|opencode|gemini)(\/|$)/i, "it says what another tool does on this machine."],
  [/(^|\/)(CLAUDE(\.local)?|AGENTS(\.override)?|GEMINI)\.md$/i, "other agents obey it."],
  [/(^|\/)\.cursorrules$/i, "other agents obey it."],
  [/(^|\/)\.(husky|githooks|devcontainer)(\/|$)/i, "it is run by itself."],
  [/(^|\/)\.(vscode|idea)(\/|$)/i, "editors start programs that it names."],
];

/** Returns why agents may not write here, as the end of a sentence; null when they may. */
export function whyOnlyPeopleWrite(path: string): string | null {
  return OBEYED.find(([pattern]) => pattern.test(path))?.[1] ?? null;
}
