import { COMMON_OPTIONS, type OptionTable } from "../../arguments/option.ts";
import { isGroup, type CommandEntry } from "../../command.ts";

/** The words that a shell offers after a command. */
export interface CompletionPoint {
  /** The words of the command so far: "" for none, "agent create". */
  readonly path: string;
  readonly offers: readonly { readonly word: string; readonly about: string }[];
  /** Names follow that only the project knows: `completion names` says which. */
  readonly names?: true;
}

/** Returns the points of all commands and groups of the table. Loads every command. */
export async function completionPoints(entries: readonly CommandEntry[], path = ""): Promise<CompletionPoint[]> {
  const point: CompletionPoint = {
    path,
    offers: entries.flatMap(({ name, aliases = [], summary }) =>
      [name, ...aliases].map((word) => ({ word, about: summary })),
    ),
  };
  const below = await Promise.all(entries.map((entry) => pointsOf(entry, path)));
  return [point, ...below.flat()];
}

async function pointsOf({ name, aliases = [], load }: CommandEntry, above: string): Promise<CompletionPoint[]> {
  const loaded = await load();
  const points: CompletionPoint[] = [];
  for (const word of [name, ...aliases]) {
    const path = above === "" ? word : `${above} ${word}`;
    if (isGroup(loaded)) points.push(...(await completionPoints(loaded.entries, path)));
    else {
      const { words = [], options = {} } = loaded;
      const names = [...words, ...Object.values(options).map(({ value = "" }) => value)].some((each) =>
        NAMED.test(each),
      );
      points.push({ path, offers: [...choicesOf(words), ...optionsOf(options)], ...(names ? { names } : {}) });
    }
  }
  return points;
}

/** Words and values for which names are offered. */
const NAMED = /\b(?:TARGET|AGENT|NAME|ID|WORKFLOW|TAG)\b/;

/** Returns the literal words: `[set|clear]`, `agent|workflow`. Words in capitals are placeholders. */
function choicesOf(words: readonly string[]) {
  const choices = words.flatMap((word) => word.replace(/^\[|\]$/g, "").split("|"));
  return choices.filter((choice) => /^[a-z][\w-]*$/.test(choice)).map((word) => ({ word, about: "" }));
}

function optionsOf(options: OptionTable) {
  return Object.entries({ ...options, ...COMMON_OPTIONS }).map(([name, { about }]) => ({ word: `--${name}`, about }));
}
