const BLOCK_BYTES = 64;

/**
 * HMAC-SHA-256 in hexadecimal; `key` and `text` are ASCII. Written by hand because every short command would pay for
 * loading `node:crypto` (see README.md); the tests compare it with `node:crypto`.
 */
export function hmacSha256(key: string, text: string): string {
  const keyBytes = ascii(key);
  const padded = new Uint8Array(BLOCK_BYTES);
  padded.set(keyBytes.length > BLOCK_BYTES ? sha256(keyBytes) : keyBytes);
  const inner = sha256(joined(xored(padded, 0x36), ascii(text)));
  return Array.from(sha256(joined(xored(padded, 0x5c), inner)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes, and of the square roots of 8.
const rounds = [
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
];
const start = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];

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
  const words = new Uint32Array(64);
  const word = (index: number): number => words[index] ?? 0;
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let index = 0; index < 64; index += 1) {
    words[index] = index < 16 ? block.getUint32(at + index * 4) : extended(word, index);
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
