import { describe, expect, it } from "vitest";
import { readAgentFields, setAgentFields } from "../../../src/files/editing/set-agent-fields.ts";

const TEXT = `# Who reviews.
name: rita
backend: mock
prompt:
  system: You review. # short
soul: { role: reviewer, principles: [Bugs first] }
permissions: { deny: [bash] }
`;

describe("the fields of an agent's file", () => {
  it("[definition.edit] are read, and null where the file has none", () => {
    expect(readAgentFields(TEXT)).toMatchObject({
      backend: "mock",
      model: null,
      system: "You review.",
      role: "reviewer",
      principles: ["Bugs first"],
      maxSteps: null,
      dollarsPerDay: null,
    });
    expect(readAgentFields("a: [").system).toBeNull();
  });

  it("[definition.edit] change and nothing else does, comments included", () => {
    const changed = setAgentFields(TEXT, { system: "Be short.", model: "anthropic/auto", dollarsPerDay: 2.5 });
    expect(changed).toContain("# Who reviews.");
    expect(changed).toContain("permissions: { deny: [bash] }");
    expect(readAgentFields(changed)).toMatchObject({
      system: "Be short.",
      model: "anthropic/auto",
      dollarsPerDay: 2.5,
    });
    expect(setAgentFields(TEXT, {})).toBe(TEXT);
    expect(setAgentFields(TEXT, { role: "reviewer" })).toBe(TEXT);
  });

  it("[definition.edit] are taken away by null, with what is empty then", () => {
    const changed = setAgentFields(TEXT, { role: null, principles: [] });
    expect(changed).not.toContain("soul");
    expect(setAgentFields("backend: mock\nsystem_prompt: old\n", { system: "new" })).toBe(
      "backend: mock\nsystem_prompt: new\n",
    );
  });
});
