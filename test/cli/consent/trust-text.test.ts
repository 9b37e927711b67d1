import { expect, it } from "vitest";
import { trustText } from "../../../src/cli/consent/trust-text.ts";

it("[trust.shown] a project that rests as a whole shows all it can do, also what the person has seen before", () => {
  const shell = { who: "workflow review", text: "run in a shell: git diff", seen: true };
  const view = { kind: "foreign-store" as const, always: false, abilities: [shell], facts: [], fingerprint: "" };
  expect(trustText(view, "unseen")).toContain("- run in a shell: git diff");
  expect(trustText(view, "unseen")).not.toContain("starts no program");
});
