/**
 * Splits a stream of bytes into lines and holds at most one line and one chunk. It decodes whole lines, so a character
 * that the stream cut in two is not damaged.
 */
export interface LineSplitter {
  /** Throws when a line exceeds the limit; earlier lines were passed on. */
  push(chunk: Buffer): void;
}

const NEWLINE = 0x0a;

export function createLineSplitter(limit: number, onLine: (line: string) => void): LineSplitter {
  let parts: Buffer[] = [];
  let length = 0;

  const append = (part: Buffer): void => {
    length += part.length;
    if (length > limit) throw new Error(`a line of more than ${limit} bytes`);
    if (part.length > 0) parts.push(part);
  };

  const lineIn = (chunk: Buffer, from: number, end: number): string => {
    // The usual case: the whole line is in this chunk.
    if (length === 0 && end - from <= limit) return chunk.toString("utf8", from, end);
    append(chunk.subarray(from, end));
    const line = Buffer.concat(parts, length).toString("utf8");
    parts = [];
    length = 0;
    return line;
  };

  return {
    push(chunk) {
      let from = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
        const line = lineIn(chunk, from, end);
        from = end + 1;
        if (line !== "") onLine(line);
      }
      append(chunk.subarray(from));
    },
  };
}
