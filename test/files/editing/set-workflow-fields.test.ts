import { describe, expect, it } from "vitest";
import { readWorkflowFields, setWorkflowFields } from "../../../src/files/editing/set-workflow-fields.ts";

const TEXT = `# Who looks at changes.
name: review
agents:
  rita: { ref: rita } # first
budget: { turns: 50, cost_usd: 2 }
`;

describe("the fields of a workflow's file", () => {
  it("[definition.edit] are read, and null where the file has none", () => {
    expect(readWorkflowFields(TEXT)).toEqual({
      kickoff: null,
      documentOwner: null,
      turns: 50,
      tokens: null,
      dollars: 2,
      hops: null,
      wallTime: null,
    });
  });

  it("[definition.edit] change and nothing else does, comments included", () => {
    const changed = setWorkflowFields(TEXT, { turns: 10, wallTime: "30m", documentOwner: "rita" });
    expect(changed).toContain("# Who looks at changes.");
    expect(changed).toContain("  rita: { ref: rita } # first");
    expect(readWorkflowFields(changed)).toMatchObject({
      turns: 10,
      dollars: 2,
      wallTime: "30m",
      documentOwner: "rita",
    });
    expect(setWorkflowFields(TEXT, {})).toBe(TEXT);
  });

  it("[definition.edit] are taken away by null, with a budget that is empty then", () => {
    expect(setWorkflowFields(TEXT, { turns: null, dollars: null })).not.toContain("budget");
  });
});
