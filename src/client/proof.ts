/**
 * Shows that a daemon knows the token before the token is sent to it: the daemon answers a nonce with the HMAC-SHA-256
 * of it under the token. SHA-256 is written out here because loading `node:crypto` takes a sixth of the time in which an
 * empty program starts, and every command would pay it for two hashes; the tests hold it to `node:crypto`.
 */
const BLOCK_BYTES = 64;

/** In hexadecimal. `key` and `text` are ASCII. */
export function hmacSha256(key: string, text: string): string {
  const keyBytes = ascii(key);
  const padded = new Uint8Array(BLOCK_BYTES);
  padded.set(keyBytes.length > BLOCK_BYTES ? sha256(keyBytes) : keyBytes);
  const inner = sha256(joined(xored(padded, 0x36), ascii(text)));
  return Array.from(sha256(joined(xored(padded, 0x5c), inner)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Does not tell by its time how much of a wrong answer was right. */
export function isSameText(a: string, b: string): boolean {
  let differs = a.length ^ b.length;
  for (let index = 0; index < a.length; index += 1) differs |= a.charCodeAt(index) ^ b.charCodeAt(index);
  return differs === 0;
}

/** Nobody can have collected the answer to it beforehand. */
export function freshNonce(): string {
  const bytes = Buffer.alloc(16);
  const { closeSync, openSync, readSync } = process.getBuiltinModule("node:fs");
  try {
    const source = openSync("/dev/urandom", "r");
    try {
      if (readSync(source, bytes) === bytes.length) return bytes.toString("hex");
    } finally {
      closeSync(source);
    }
  } catch {
    // Not every system has it.
  }
  return process.getBuiltinModule("node:crypto").randomBytes(16).toString("hex");
}

const primes = firstPrimes(64);
const rounds = primes.map((prime) => fraction(Math.cbrt(prime)));
const start = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

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
      h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + (rounds[index] ?? 0) + word(index);
    const second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    // One by one: taking a list apart costs more than the whole round.
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
    (turned(before, 7) ^ turned(before, 18) ^ (before >>> 3)) +
    word(index - 7) +
    (turned(last, 17) ^ turned(last, 19) ^ (last >>> 10))
  );
}

function turned(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

function fraction(value: number): number {
  return ((value - Math.floor(value)) * 0x1_0000_0000) >>> 0;
}

function firstPrimes(count: number): number[] {
  const found: number[] = [];
  for (let candidate = 2; found.length < count; candidate += 1) {
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate);
  }
  return found;
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
