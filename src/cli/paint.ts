import type { Writable } from "node:stream";

/** Colours for people at a terminal; plain text for everything else. */
export interface Paint {
  dim(text: string): string;
  bold(text: string): string;
  /** Always the same colour for the same name. */
  name(name: string): string;
}

const NAME_COLOURS = [36, 33, 35, 32, 34, 31];

export function paintFor(
  out: Writable & { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): Paint {
  const wanted = out.isTTY === true && env["NO_COLOR"] === undefined && env["TERM"] !== "dumb";
  if (!wanted) return { dim: same, bold: same, name: same };
  const colours = new Map<string, number>();
  const colourOf = (name: string): number => {
    const colour = colours.get(name) ?? NAME_COLOURS[colours.size % NAME_COLOURS.length] ?? 36;
    colours.set(name, colour);
    return colour;
  };
  return {
    dim: (text) => `\u001b[2m${text}\u001b[22m`,
    bold: (text) => `\u001b[1m${text}\u001b[22m`,
    name: (name) => `\u001b[${colourOf(name)}m${name}\u001b[39m`,
  };
}

function same(text: string): string {
  return text;
}
