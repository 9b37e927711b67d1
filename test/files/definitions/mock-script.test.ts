import { mkdirSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { projectMockScripts } from "../../../src/files/definitions/mock-script.ts";
import { refused, value } from "../../support/result.ts";
import { temporaryFolder, type TemporaryFolder } from "../../support/temporary-folder.ts";

function projectWith(text: string): TemporaryFolder {
  const folder = temporaryFolder();
  mkdirSync(folder.in("scripts"));
  writeFileSync(folder.in("scripts/alice.yaml"), text);
  return folder;
}

function scriptOf(project: TemporaryFolder, model: string) {
  const agent = { name: "alice", prompt: { system: "You are alice." }, backend: "mock", model } as const;
  return projectMockScripts(project.path)(agent);
}

describe("the script of a mock agent [engine.mock-script]", () => {
  it("is read with every kind of step", () => {
    using project = projectWith(`
- when: /review (?<id>\\w+)/i
  steps:
    - say: Looking at it.
      pace: 30ms
    - delay: [100ms, 1s]
    - delay: 200ms
    - call: { tool: team_doc_read, args: { file: notes.md }, as: notes }
    - fail: quota
      message: used up
      after: I was
      retry_after: 5s
      times: 2
    - crash: true
    - mention: [bob, "@carol"]
      say: your turn
- repeat: true
  steps: []
`);
    expect(value(scriptOf(project, "./scripts/alice.yaml"))).toEqual({
      turns: [
        {
          when: /review (?<id>\w+)/i,
          steps: [
            { kind: "say", text: "Looking at it.", paceMs: 30 },
            { kind: "delay", minMs: 100, maxMs: 1000 },
            { kind: "delay", minMs: 200, maxMs: 200 },
            { kind: "call", tool: "team_doc_read", args: { file: "notes.md" }, as: "notes" },
            { kind: "fail", class: "quota", message: "used up", after: "I was", retryAfterMs: 5000, times: 2 },
            { kind: "fail", class: "crash" },
            { kind: "say", text: "@bob @carol your turn" },
          ],
        },
        { repeat: true, steps: [] },
      ],
    });
  });

  it.each([
    ["- steps:\n    - sya: hello\n", "scripts/alice.yaml:2:7", 'Did you mean "say"?'],
    ["- steps:\n    - fail: transiet\n", "scripts/alice.yaml:2:13", 'Did you mean "transient"?'],
    ["- steps:\n    - say: a\n      call: { tool: b }\n", "scripts/alice.yaml:2:7", "exactly one thing"],
    ["- steps:\n    - say: a\n      times: 2\n", "scripts/alice.yaml:3:7", '"times" does not go with say'],
    ["- steps:\n    - delay: soon\n", "scripts/alice.yaml:2:14", "is not a duration"],
    ["- when: /(/\n  steps: []\n", "scripts/alice.yaml:1:9", "not a regular expression"],
    ["- when: x\n", "scripts/alice.yaml:1", '"steps" is missing'],
    ["say: hello\n", "scripts/alice.yaml:1:1", "must be a list"],
    ["- steps: [\n", "scripts/alice.yaml:2:1", ""],
  ])("is refused with the place for %j", (text, place, message) => {
    using project = projectWith(text);
    const refusal = refused(scriptOf(project, "scripts/alice.yaml"));
    expect(refusal.message).toContain(place);
    expect(refusal.message).toContain(message);
  });

  it("is refused when it does not exist or lies outside the project", () => {
    using project = projectWith("- steps: []\n");
    expect(refused(scriptOf(project, "scripts/bob.yaml")).message).toContain("scripts/bob.yaml");
    expect(refused(scriptOf(project, "../alice.yaml")).message).toContain("not inside the project");
  });

  it("is found by the model of the agent, and only on the mock engine", () => {
    using project = projectWith("- steps: []\n");
    const scripts = projectMockScripts(project.path);
    const agent = { name: "alice", prompt: { system: "You are alice." } };
    expect(value(scripts({ ...agent, backend: "mock", model: "./scripts/alice.yaml" }))).toEqual({
      turns: [{ steps: [] }],
    });
    expect(value(scripts({ ...agent, backend: "mock", model: "fast" }))).toBeNull();
    expect(value(scripts({ ...agent, backend: "mock" }))).toBeNull();
    expect(value(scripts({ ...agent, backend: "sdk", model: "scripts/alice.yaml" }))).toBeNull();
  });
});
