import fc from "fast-check";
import { expect, it } from "vitest";
import { prefixAtEnd } from "../../../src/files/personal/resumable-append.ts";
import { runs } from "../../property.ts";

it("is the longest beginning that the end is", () => {
  const bytes = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 12 });
  fc.assert(
    fc.property(bytes, bytes, (end, block) => {
      const longest = Array.from({ length: block.length + 1 }, (_, n) => n).findLast((n) =>
        end.endsWith(block.slice(0, n)),
      );
      expect(prefixAtEnd(Buffer.from(end), Buffer.from(block))).toBe(longest);
    }),
    runs(1000),
  );
});
