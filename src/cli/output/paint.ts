import type { Terminal } from "./terminal.ts";
import { styled } from "./visible-text.ts";

/** Colours at a terminal, plain text elsewhere. */
export interface Paint {
  dim(text: string): string;
  bold(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  /** Paints text in the colour of a name. A name keeps its colour. */
  as(name: string, text: string): string;
}

const NAME_COLOURS = [36, 33, 35, 32, 34, 96, 93, 95, 92, 94];
/** Senders that are not members of the team. */
const COLOURLESS: ReadonlySet<string> = new Set(["system", "setup"]);

export function paintFor({ colours }: Pick<Terminal, "colours">): Paint {
  if (!colours) return { dim: same, bold: same, good: same, bad: same, as: (_name, text) => text };
  const taken = new Map<string, number>();
  const colourOf = (name: string): number => {
    const colour = taken.get(name) ?? NAME_COLOURS[taken.size % NAME_COLOURS.length] ?? 36;
    taken.set(name, colour);
    return colour;
  };
  const dim = (text: string): string => styled(2, text, 22);
  const bold = (text: string): string => styled(1, text, 22);
  return {
    dim,
    bold,
    good: (text) => styled(32, text, 39),
    bad: (text) => styled(31, text, 39),
    as(name, text) {
      if (COLOURLESS.has(name)) return dim(text);
      return name === "user" ? bold(text) : styled(colourOf(name), text, 39);
    },
  };
}

function same(text: string): string {
  return text;
}
