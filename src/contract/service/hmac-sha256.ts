const BLOCK_BYTES = 64;

/**
 * HMAC-SHA-256 in hexadecimal; `key` and `text` are ASCII. Written by hand because every short command would pay for
 * loading `node:crypto` (see `client/transport/README.md`), and because browsers have none on a page that comes without
 * encryption from another machine. The tests compare it with `node:crypto`.
 */
export function hmacSha256(key: string, text: string): string {
  const keyBytes = ascii(key);
  const padded = new Uint8Array(BLOCK_BYTES);
  padded.set(keyBytes.length > BLOCK_BYTES ? sha256(keyBytes) : keyBytes);
  const inner = sha256(joined(xored(padded, 0x36), ascii(text)));
  return Array.from(sha256(joined(xored(padded, 0x5c), inner)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes, and of the square roots of 8.
const rounds = words(
  "428a2f9871374491b5c0fbcfe9b5dba53956c25b59f111f1923f82a4ab1c5ed5d807aa9812835b01243185be550c7dc372be5d74" +
    "80deb1fe9bdc06a7c19bf174e49b69c1efbe47860fc19dc6240ca1cc2de92c6f4a7484aa5cb0a9dc76f988da983e5152a831c66d" +
    "b00327c8bf597fc7c6e00bf3d5a7914706ca63511429296727b70a852e1b21384d2c6dfc53380d13650a7354766a0abb81c2c92e" +
    "92722c85a2bfe8a1a81a664bc24b8b70c76c51a3d192e819d6990624f40e3585106aa07019a4c1161e376c082748774c34b0bcb5" +
    "391c0cb34ed8aa4a5b9cca4f682e6ff3748f82ee78a5636f84c878148cc7020890befffaa4506cebbef9a3f7c67178f2",
);
const start = words("6a09e667bb67ae853c6ef372a54ff53a510e527f9b05688c1f83d9ab5be0cd19");

/** Eight hexadecimal digits each. */
function words(digits: string): number[] {
  return Array.from({ length: digits.length / 8 }, (_, index) => Number(`0x${digits.slice(index * 8, index * 8 + 8)}`));
}

function sha256(message: Uint8Array): Uint8Array {
  const state = Uint32Array.from(start);
  const padded = new DataView(new ArrayBuffer(Math.ceil((message.length + 9) / BLOCK_BYTES) * BLOCK_BYTES));
  new Uint8Array(padded.buffer).set(message);
  padded.setUint8(message.length, 0x80);
  padded.setUint32(padded.byteLength - 4, message.length * 8);
  for (let at = 0; at < padded.byteLength; at += BLOCK_BYTES) mixBlock(state, padded, at);
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, index) => digest.setUint32(index * 4, word));
  return new Uint8Array(digest.buffer);
}

function mixBlock(state: Uint32Array, block: DataView, at: number): void {
  const schedule = new Uint32Array(64);
  const word = (index: number): number => schedule[index] ?? 0;
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let index = 0; index < 64; index += 1) {
    schedule[index] = index < 16 ? block.getUint32(at + index * 4) : extended(word, index);
    const first =
      h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & f) ^ (~e & g)) + (rounds[index] ?? 0) + word(index);
    const second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    // One by one: destructuring a list costs more than the whole round.
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((value, index) => (state[index] = (state[index] ?? 0) + value));
}

function extended(word: (index: number) => number, index: number): number {
  const before = word(index - 15);
  const last = word(index - 2);
  return (
    word(index - 16) +
    (rotated(before, 7) ^ rotated(before, 18) ^ (before >>> 3)) +
    word(index - 7) +
    (rotated(last, 17) ^ rotated(last, 19) ^ (last >>> 10))
  );
}

function rotated(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const whole = new Uint8Array(a.length + b.length);
  whole.set(a);
  whole.set(b, a.length);
  return whole;
}

function xored(bytes: Uint8Array, mask: number): Uint8Array {
  return bytes.map((byte) => byte ^ mask);
}
