import fc from "fast-check";
import { expect, it } from "vitest";
import { resumableAppend } from "../../../src/files/personal/resumable-append.ts";
import { runs } from "../../property.ts";

it("is the longest beginning that the end is", () => {
  const bytes = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 12 });
  fc.assert(
    fc.property(bytes, bytes, (end, wanted) => {
      const longest = Array.from({ length: wanted.length + 1 }, (_, n) => n).findLast((n) =>
        end.endsWith(wanted.slice(0, n)),
      );
      expect(resumableAppend(Buffer.from(end), Buffer.from(wanted))).toBe(longest);
    }),
    runs(1000),
  );
});
