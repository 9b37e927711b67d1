import { expect, it } from "vitest";
import { waitLines } from "../../../src/cli/output/waiting-text.ts";

const wait = {
  run: "run_1",
  agent: "rita",
  space: "@review:main",
  waitsFor: "retry",
  since: "2026-01-01T10:00:00.000Z",
  reason: "It was busy.",
  approval: null,
  next: "It goes on by itself.",
} as const;

it("says that a run whose time has come waits for its turn, and not until a time that is past", () => {
  const due = waitLines({ ...wait, until: "2026-01-01T10:01:00.000Z" });
  expect(due).toMatch(/^rita waits in @review for its turn, since .*: It was busy\.\n/);
  expect(due).not.toContain("until");
  const later = waitLines({ ...wait, until: new Date(Date.now() + 60_000).toISOString() });
  expect(later).toMatch(/^rita waits in @review for the next attempt, since .* until \d\d:\d\d: It was busy\.\n/);
});
