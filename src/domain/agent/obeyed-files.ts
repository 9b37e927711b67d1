/**
 * Files that only people write, because they change an agent, its permissions or what other programs do on this machine.
 * Paths are relative to the project.
 */
const OBEYED: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^\.(agents|workflows)(\/|$)/i, "definitions of agents and workflows are changed by people."],
  [/^(moniro\.ya?ml|\.agents\.ya?ml)$/i, "the project file is changed by people."],
  [/(^|\/)soul\.yaml$/i, "what an agent learns about itself is approved by people."],
  [/^\.workspace(\/|$)/i, "it belongs to the daemon."],
  [/(^|\/)[^/]*\.git(\/|$)/i, "it belongs to git."],
  [/(^|\/)HEAD$/i, "it makes its folder a repository, whose settings git obeys."],
  [/(^|\/)\.(gitmodules|gitattributes|gitconfig)$/i, "it says which programs git starts."],
  [/(^|\/)(\.mcp\.json|\.claude\.json|opencode\.jsonc?)$/i, "it says which programs another tool starts."],
  [
    /(^|\/)\.(claude|claude-plugin|cursor|codex|opencode|gemini)(\/|$)/i,
    "it says what another tool does on this machine.",
  ],
  [/(^|\/)(CLAUDE(\.local)?|AGENTS(\.override)?|GEMINI)\.md$/i, "other agents obey it."],
  [/(^|\/)\.(windsurf|clinerules|roo|kiro|amp|continue|junie)(\/|$)/i, "other agents obey it."],
  [/(^|\/)\.(cursorrules|windsurfrules|goosehints|rules|aider\.conf\.ya?ml)$/i, "other agents obey it."],
  [/(^|\/)(SKILL|\.github\/copilot-instructions)\.md$/i, "other agents obey it."],
  [/(^|\/)\.github\/(workflows|actions|instructions)(\/|$)/i, "it says what runs after a push."],
  [/(^|\/)\.gitlab-ci\.ya?ml$/i, "it says what runs after a push."],
  [/(^|\/)(\.pre-commit-config|\.?lefthook(-local)?)\.(ya?ml|toml|json)$/i, "it says which programs git starts."],
  [/(^|\/)(\.pnpmfile\.[cm]?js|\.yarn(\/.*)?)$/i, "package managers run it."],
  [/(^|\/)(\.?mise(\.[^/]*)?\.toml|\.mise(\/.*)?|\.tool-versions)$/i, "it says which programs are started."],
  [/(^|\/)\.(profile|bashrc|bash_\w+|zshrc|zshenv|zprofile|zlogin|kshrc)$/i, "shells run it."],
  [/(^|\/)\.(husky|githooks|devcontainer)(\/|$)/i, "it is run by itself."],
  [/(^|\/)\.(vscode|idea|zed)(\/|$)/i, "editors start programs that it names."],
];

/** A folder with the file `HEAD` may be a repository without a `.git/`. Git obeys these in it. */
const IN_REPOSITORY = /^(.*\/|)(config|config\.worktree|commondir|hooks\/.*)$/i;

/**
 * Returns why agents may not write here, as the end of a sentence; null when they may. `exists` says whether a path of the
 * project exists.
 */
export function whyOnlyPeopleWrite(path: string, exists: (path: string) => boolean = () => false): string | null {
  const folder = IN_REPOSITORY.exec(path)?.[1];
  if (folder !== undefined && exists(`${folder}HEAD`)) return "it belongs to git.";
  return OBEYED.find(([pattern]) => pattern.test(path))?.[1] ?? null;
}
