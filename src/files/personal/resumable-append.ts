/** A file to which something is appended. */
export interface ReadableBytes {
  readonly size: number;
  read(start: number, maxBytes: number): Buffer;
}

/**
 * Returns the bytes to append so that the file ends with `block`, preceded by a blank line. After a crash the file may
 * already contain all of the block, or its beginning: then only the rest is returned. `expectedSize` is the size of the
 * file before the block, if it is known.
 */
export function missingBytes(file: ReadableBytes, block: Buffer, expectedSize: number | undefined): Buffer {
  const present = presentLength(file, block, expectedSize);
  return present > 0 ? block.subarray(present) : Buffer.concat([Buffer.from(gapBefore(file)), block]);
}

function presentLength(file: ReadableBytes, block: Buffer, expectedSize: number | undefined): number {
  if (expectedSize !== undefined && expectedSize <= file.size) {
    const appended = file.read(expectedSize, block.length);
    if (appended.equals(block.subarray(0, appended.length))) return appended.length;
  }
  // A new day, or a file that was archived or edited: only the end of the file can be compared.
  return prefixAtEnd(file.read(Math.max(0, file.size - block.length), block.length), block);
}

/** Returns the length of the longest prefix of `block` that `end` ends with. @internal */
export function prefixAtEnd(end: Buffer, block: Buffer): number {
  // Knuth-Morris-Pratt, because trying each length would be quadratic: `shorter[n]` is the length of the next shorter
  // candidate after a prefix of n + 1 bytes does not continue.
  const shorter = new Uint32Array(block.length);
  const extend = (length: number, byte: number): number => {
    let candidate = length === block.length ? (shorter[length - 1] ?? 0) : length;
    while (candidate > 0 && block[candidate] !== byte) candidate = shorter[candidate - 1] ?? 0;
    return block[candidate] === byte ? candidate + 1 : 0;
  };
  let length = 0;
  for (let i = 1; i < block.length; i += 1) shorter[i] = length = extend(length, block[i] ?? 0);
  length = 0;
  for (const byte of end) length = block.length === 0 ? 0 : extend(length, byte);
  return length;
}

/** Returns the line ends that are missing for a blank line at the end of the file. */
function gapBefore(file: ReadableBytes): string {
  if (file.size === 0) return "";
  const text = file.read(Math.max(0, file.size - 4), 4).toString("latin1");
  return /\n\r?\n$/.test(text) ? "" : text.endsWith("\n") ? "\n" : "\n\n";
}
