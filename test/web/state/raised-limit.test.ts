import { expect, test } from "vitest";
import { raisedValue } from "../../../web/src/state/raised-limit.ts";

test("[budget.raise] the offered limit is twice as much, and always more than is used", () => {
  const turns = { of: "agent", name: "turns", maximum: 1 } as const;
  expect(raisedValue(turns)).toBe("2");
  expect(raisedValue(turns, 1)).toBe("2");
  expect(raisedValue(turns, 11)).toBe("17");
  expect(raisedValue({ of: "agent", name: "dollars", maximum: 1 }, 3.5)).toBe("5.25");
  expect(raisedValue({ of: "agent", name: "time", maximum: "1h30m" })).toBe("2h60m");
});
