import type { CompletionPoint } from "./completion-points.ts";

/**
 * Completion scripts. Each finds the command by the words typed so far and offers the next words; otherwise the shell
 * offers files. The script contains every command and option. Only for names of the project it starts our program, which
 * starts no daemon.
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
  local current="\${COMP_WORDS[COMP_CWORD]}" at="" word offers="" typed=("\${COMP_WORDS[@]:1:COMP_CWORD-1}") kept=""
  # Bash breaks words at @ and : and replaces only what follows a :, or an @ with what follows it.
  if [ -n "\${COMP_LINE-}" ]; then
    local line="\${COMP_LINE:0:COMP_POINT}"
    read -ra typed <<< "$line"
    current=""
    case "$line" in *[[:space:]]) ;; *) current="\${typed[\${#typed[@]}-1]}"; typed=("\${typed[@]:0:\${#typed[@]}-1}") ;; esac
    typed=("\${typed[@]:1}")
    local breaks=""
    case "$COMP_WORDBREAKS" in *@*) breaks="@" ;; esac
    case "$COMP_WORDBREAKS" in *:*) breaks="$breaks:" ;; esac
    [ -z "$breaks" ] || kept="\${current%"\${current##*[$breaks]}"}"
    kept="\${kept%@}"
  fi
  for word in \${typed[@]+"\${typed[@]}"}; do
    ${descend(points)}
  done
  ${offersOf(points)}
  case "$current" in -*) ;; *) ${ifNamed(points, 'offers="$offers $("${COMP_WORDS[0]}" completion names -- ${typed[@]+"${typed[@]}"} 2>/dev/null)"')} ;; esac
  COMPREPLY=($(compgen -W "$offers" -- "$current"))
  COMPREPLY=(\${COMPREPLY[@]+"\${COMPREPLY[@]#"$kept"}"})
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
  case "\${words[CURRENT]}" in -*) ;; *) ${ifNamed(points, 'offers="$offers $("${words[1]}" completion names -- "${(@)words[2,CURRENT-1]}" 2>/dev/null)"')} ;; esac
  compadd -- \${=offers} || _files
}
compdef _agent_worker agent-worker
`;
}

/** For bash and zsh: adds the word to the path if the longer path is a command. */
function descend(points: readonly CompletionPoint[]): string {
  return `case "\${at:+$at }$word" in ${quotedPaths(points).join("|")}) at="\${at:+$at }$word" ;; esac`;
}

/** For bash and zsh: the statement, where names can follow. */
function ifNamed(points: readonly CompletionPoint[], statement: string): string {
  const named = points.filter(({ names }) => names === true);
  return `case "$at" in ${quotedPaths(named).join("|")}) ${statement} ;; esac`;
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
  const named = points
    .filter(({ names }) => names === true)
    .map(
      ({ path }) =>
        `complete -c agent-worker -n '__agent_worker_at "${path}"' -a '(agent-worker completion names -- (commandline -opc)[2..-1] 2>/dev/null)'`,
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
${[...offers, ...named].join("\n")}
`;
}

function quotedPaths(points: readonly CompletionPoint[]): string[] {
  return points.flatMap(({ path }) => (path === "" ? [] : [`"${path}"`]));
}
