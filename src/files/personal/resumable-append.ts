/**
 * How many bytes of the beginning of `wanted` a file ends with, given its end. Whoever appends to a file and may die
 * before it is written down that it did looks here first: all of `wanted` may be there, or none, or any part of it.
 */
export function resumableAppend(end: Buffer, wanted: Buffer): number {
  // The longest beginning of `wanted` that is also the end of what was read so far; `shorter[n]` is the next candidate
  // after a beginning of n + 1 bytes turned out not to go on. Linear, where trying each length is not.
  const shorter = new Uint32Array(wanted.length);
  const extend = (length: number, byte: number): number => {
    let candidate = length === wanted.length ? (shorter[length - 1] ?? 0) : length;
    while (candidate > 0 && wanted[candidate] !== byte) candidate = shorter[candidate - 1] ?? 0;
    return wanted[candidate] === byte ? candidate + 1 : 0;
  };
  let length = 0;
  for (let i = 1; i < wanted.length; i += 1) shorter[i] = length = extend(length, wanted[i] ?? 0);
  length = 0;
  for (const byte of end) length = wanted.length === 0 ? 0 : extend(length, byte);
  return length;
}
