import type { CompletionPoint } from "./completion-points.ts";

/**
 * Completion scripts. Each finds the command by the words typed so far and offers the next words; otherwise the shell
 * offers files. The script contains every word, so completing starts no program.
 */
export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

export function completionScript(shell: Shell, points: readonly CompletionPoint[]): string {
  if (shell === "fish") return fishScript(points);
  return shell === "bash" ? bashScript(points) : zshScript(points);
}

function bashScript(points: readonly CompletionPoint[]): string {
  return `# agent-worker completion for bash. Load it with: source <(agent-worker completion bash)
_agent_worker() {
  local current="\${COMP_WORDS[COMP_CWORD]}" at="" word offers=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    ${descend(points)}
  done
  ${offersOf(points)}
  COMPREPLY=($(compgen -W "$offers" -- "$current"))
}
complete -o default -F _agent_worker agent-worker
`;
}

function zshScript(points: readonly CompletionPoint[]): string {
  return `#compdef agent-worker
# agent-worker completion for zsh. Load it with: source <(agent-worker completion zsh)
_agent_worker() {
  local at="" word offers=""
  for word in "\${(@)words[2,CURRENT-1]}"; do
    ${descend(points)}
  done
  ${offersOf(points)}
  compadd -- \${=offers} || _files
}
compdef _agent_worker agent-worker
`;
}

/** For bash and zsh: adds the word to the path if the longer path is a command. */
function descend(points: readonly CompletionPoint[]): string {
  return `case "\${at:+$at }$word" in ${quotedPaths(points).join("|")}) at="\${at:+$at }$word" ;; esac`;
}

function offersOf(points: readonly CompletionPoint[]): string {
  const cases = points.map(
    ({ path, offers }) => `    "${path}") offers="${offers.map(({ word }) => word).join(" ")}" ;;`,
  );
  return `case "$at" in\n${cases.join("\n")}\n  esac`;
}

function fishScript(points: readonly CompletionPoint[]): string {
  const offers = points.flatMap(({ path, offers: words }) =>
    words.map(({ word, about }) => {
      const offered = word.startsWith("--") ? `-l ${word.slice(2)}` : `-a ${word}`;
      return `complete -c agent-worker -n '__agent_worker_at "${path}"' ${offered} -d '${about.replace(/[\\']/g, "\\$&")}'`;
    }),
  );
  return `# agent-worker completion for fish. Load it with: agent-worker completion fish | source
function __agent_worker_at
  set -l at ""
  for word in (commandline -opc)[2..-1]
    set -l longer (string trim "$at $word")
    contains -- $longer ${quotedPaths(points).join(" ")}; and set at $longer
  end
  test "$at" = "$argv[1]"
end
${offers.join("\n")}
`;
}

function quotedPaths(points: readonly CompletionPoint[]): string[] {
  return points.flatMap(({ path }) => (path === "" ? [] : [`"${path}"`]));
}
