import { COMMAND_NAMES } from "../command-names.ts";

const OPTION = "--project";
const NEEDS_NO_QUOTES = /^[\w./@%+=:,~-]+$/;

/**
 * Returns a function that adds `--project DIR` to the commands in a hint, when the person typed it: typed as it stands, the
 * hint then means the same project. Only words that are commands count, so that prose stays as it is.
 */
export function namedProject(args: readonly string[]): (hint: string) => string {
  const dir = projectOption(args);
  return dir === undefined ? (hint) => hint : (hint) => hintIn(dir, hint);
}

/** Adds `--project DIR` to the commands in a hint. */
export function hintIn(dir: string, hint: string): string {
  const quoted = NEEDS_NO_QUOTES.test(dir) ? dir : `'${dir.replaceAll("'", String.raw`'\''`)}'`;
  const command = new RegExp(`(?<!Usage: )\\bagent-worker (?=(?:${COMMAND_NAMES.join("|")})\\b)`, "g");
  return hint.replace(command, () => `agent-worker ${OPTION} ${quoted} `);
}

function projectOption(args: readonly string[]): string | undefined {
  const end = args.indexOf("--");
  const options = end === -1 ? args : args.slice(0, end);
  const at = options.indexOf(OPTION);
  if (at !== -1) return options[at + 1];
  return options.find((arg) => arg.startsWith(`${OPTION}=`))?.slice(OPTION.length + 1);
}
