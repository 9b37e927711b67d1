/** The number of classes `hue-0`, `hue-1`, ... in the style sheet. */
const HUES = 12;

/** Always the same colour for the same name. */
export function hueOf(name: string): number {
  let sum = 7;
  for (const char of name) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) >>> 0;
  return sum % HUES;
}

/** Returns one or two letters: `AB` for `anna-bell`, `AN` for `anna`. */
export function initialsOf(name: string): string {
  const [first = "", second] = name.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== "");
  const letters = second === undefined ? [...first].slice(0, 2) : [[...first][0], [...second][0]];
  return letters.join("").toUpperCase();
}
