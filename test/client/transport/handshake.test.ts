import { createHmac } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { freshNonce, timingSafeEqual } from "../../../src/client/transport/handshake.ts";
import { hmacSha256 } from "../../../src/contract/service/hmac-sha256.ts";
import { runs } from "../../property.ts";

const ascii = fc.string({ unit: "binary-ascii", maxLength: 300 });

it("computes the same HMAC as node:crypto, for keys and texts of every length", () => {
  fc.assert(
    fc.property(ascii, ascii, (key, text) => {
      expect(hmacSha256(key, text)).toBe(createHmac("sha256", key).update(text).digest("hex"));
    }),
    runs(300),
  );
  // Every way the padding of a block can end.
  for (let length = 0; length < 200; length += 1) {
    const text = "x".repeat(length);
    expect(hmacSha256(text, text)).toBe(createHmac("sha256", text).update(text).digest("hex"));
  }
});

it("gives a nonce that fits what a daemon takes and never comes twice", () => {
  const nonces = Array.from({ length: 100 }, freshNonce);
  expect(new Set(nonces).size).toBe(100);
  for (const nonce of nonces) expect(nonce).toMatch(/^[0-9a-f]{32}$/);
});

it("compares whole texts", () => {
  expect(timingSafeEqual("abc", "abc")).toBe(true);
  expect(timingSafeEqual("abc", "abd")).toBe(false);
  expect(timingSafeEqual("abc", "ab")).toBe(false);
  expect(timingSafeEqual("", "a")).toBe(false);
  expect(timingSafeEqual("a", "")).toBe(false);
});
