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
      members: [{ name: "rita", ref: "rita", prompt: null, backend: null, model: null }],
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

  it("[definition.edit] have the participants: one is added, one changed, one taken away, the rest stays", () => {
    const text = `name: review
agents:
  # Reads first.
  rita: { ref: rita, tools: [bash] }
  cody: cody
  helper:
    backend: mock
    prompt: { system: You help. }
`;
    const { members } = readWorkflowFields(text);
    const none = { prompt: null, backend: null, model: null };
    expect(members).toEqual([
      { name: "rita", ref: "rita", ...none },
      { name: "cody", ref: "cody", ...none },
      { name: "helper", ref: null, prompt: "You help.", backend: "mock", model: null },
    ]);
    expect(setWorkflowFields(text, { members })).toBe(text);
    const changed = setWorkflowFields(text, {
      members: [
        { name: "rita", ref: "rita", ...none, model: "openai/gpt-5" },
        { name: "helper", ref: null, prompt: "You help a lot.", backend: "mock", model: null },
        { name: "sam", ref: "sam", ...none },
        { name: "second", ref: "rita", ...none, prompt: "Look at the tests." },
      ],
    });
    expect(changed).toBe(`name: review
agents:
  # Reads first.
  rita: { ref: rita, tools: [ bash ], model: openai/gpt-5 }
  helper:
    backend: mock
    prompt: { system: You help a lot. }
  sam: { ref: sam }
  second:
    ref: rita
    prompt:
      append: Look at the tests.
`);
    const asRef = setWorkflowFields(text, { members: [{ name: "helper", ref: "sam", ...none }] });
    expect(readWorkflowFields(asRef).members).toEqual([{ name: "helper", ref: "sam", ...none }]);
    expect(asRef).not.toContain("You help");
    const from = setWorkflowFields(text, { members: [{ name: "cody", ref: "cody", ...none, prompt: "Be short." }] });
    expect(readWorkflowFields(from).members).toEqual([{ name: "cody", ref: "cody", ...none, prompt: "Be short." }]);
  });

  it("[definition.edit] are taken away by null, with a budget that is empty then", () => {
    expect(setWorkflowFields(TEXT, { turns: null, dollars: null })).not.toContain("budget");
  });
});
