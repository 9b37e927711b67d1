import type { Command } from "../command.ts";
import { COMMON_OPTIONS, type Option, type OptionTable, type OptionValue } from "./option.ts";
import { UsageError } from "./usage-error.ts";

export interface ParsedArguments {
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, OptionValue>>;
  /** What followed `--`, for a command that defines `rest`. */
  readonly rest: readonly string[];
}

/** Parses arguments as the command describes them. Throws UsageError. */
export function parseArguments(
  args: readonly string[],
  command: Pick<Command, "words" | "options" | "rest" | "secretWords">,
): ParsedArguments {
  const table: OptionTable = { ...command.options, ...COMMON_OPTIONS };
  const options: Record<string, string | string[] | boolean | undefined> = {};
  for (const [name, { value, many }] of Object.entries(table)) {
    options[name] = many === true ? [] : value === undefined ? false : undefined;
  }
  const end = args.indexOf("--");
  const before = end === -1 ? args : args.slice(0, end);
  const after = end === -1 ? [] : args.slice(end + 1);
  const words: string[] = [];

  for (let at = 0; at < before.length; at += 1) {
    const arg = before[at] ?? "";
    // "- text" is an item of a list, not an option.
    if (!arg.startsWith("-") || arg === "-" || arg.startsWith("- ")) {
      words.push(arg);
      continue;
    }
    const { name, spelling, attached } = readOption(arg, table);
    const option = Object.hasOwn(table, name) ? table[name] : undefined;
    if (option === undefined) throw unknownOption(spelling, table, command.rest);
    if (option.value === undefined) {
      if (attached !== undefined) throw new UsageError(`${spelling} takes no value.`);
      options[name] = true;
      continue;
    }
    const text = attached ?? before[(at += 1)];
    if (text === undefined) throw new UsageError(`${spelling} needs a value: ${spelling} ${option.value}.`);
    const earlier = options[name];
    if (Array.isArray(earlier)) earlier.push(text);
    else if (earlier === undefined) options[name] = text;
    else throw new UsageError(`${spelling} is given twice.`, "Give it once.");
  }
  if (command.rest === undefined) words.push(...after);
  checkWords(words, command.words ?? [], command.secretWords === true);
  return { words, options, rest: command.rest === undefined ? [] : after };
}

/** `--name`, `--name=value`, `-n`, `-nvalue`. */
function readOption(arg: string, table: OptionTable) {
  if (arg.startsWith("--")) {
    const equals = arg.indexOf("=");
    const spelling = equals === -1 ? arg : arg.slice(0, equals);
    return { name: spelling.slice(2), spelling, attached: equals === -1 ? undefined : arg.slice(equals + 1) };
  }
  const spelling = arg.slice(0, 2);
  const found = Object.entries(table).find(([, { short }]) => short === arg[1]);
  const attached = arg.length === 2 ? undefined : arg.slice(arg[2] === "=" ? 3 : 2);
  return found === undefined
    ? { name: "", spelling: arg, attached: undefined }
    : { name: found[0], spelling, attached };
}

function unknownOption(given: string, table: OptionTable, rest: string | undefined): UsageError {
  const among = Object.entries(table).flatMap(([name, { short }]: [string, Option]) =>
    short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`],
  );
  const advice =
    rest === undefined
      ? "A text that begins with a dash goes after --."
      : `What a workflow takes is typed after --, at the end: -- ${given} VALUE`;
  return new UsageError(`There is no option ${given}.`, advice, { given, among });
}

function checkWords(words: readonly string[], expected: readonly string[], isSecret: boolean): void {
  const needed = expected.filter((each) => !each.startsWith("["));
  const missing = needed[words.length];
  if (missing !== undefined) throw new UsageError(`${missing} is missing.`);
  const extra = words[expected.length];
  if (extra === undefined || expected.at(-1)?.endsWith("...]") === true) return;
  if (isSecret) {
    throw new UsageError(
      "There is one word too many. If it was a key: others can see it in the list of processes and in your shell's history.",
      "Type the key when you are asked, or give it on standard input.",
    );
  }
  throw new UsageError(
    `"${extra}" is one word too many.`,
    expected.length > 0 ? "Quote a text of several words." : undefined,
  );
}
