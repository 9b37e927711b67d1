/** Yields the lines of the input, one message each. Only LF ends a line. */
export async function* readLines(input: AsyncIterable<Uint8Array | string>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of input) {
    const lines = (rest + (typeof piece === "string" ? piece : decoder.decode(piece, { stream: true }))).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  yield rest;
}

/** Escapes U+2028 and U+2029, which JSON allows in a string and some programs take for line ends. */
export function lineOf(json: string): string {
  return `${json.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")}\n`;
}
