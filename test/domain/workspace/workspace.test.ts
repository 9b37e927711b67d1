import { describe, expect, it } from "vitest";
import { checkParticipant, checkRunning } from "../../../src/domain/workspace/participation.ts";
import { displayWorkspace } from "../../../src/domain/workspace/workspace.ts";

describe("workspace", () => {
  it("is known by workflow and tag, of which people leave out the default [workspace.key]", () => {
    expect(displayWorkspace({ workflow: "review", tag: "main" })).toBe("review");
    expect(displayWorkspace({ workflow: "review", tag: "pr-1" })).toBe("review:pr-1");
  });
});

describe("participation", () => {
  const review = { workflow: "review", tag: "main", running: true, participants: ["alice", "bob"] };

  it("needs a running workflow, and says how to start it [route.not-running]", () => {
    const refusal = {
      ok: false,
      error: {
        code: "not_running",
        message: 'workflow "review" is not running.',
        hint: "Start it with: agent-worker start review",
        details: { workflow: "review", tag: "main" },
      },
    };
    expect(checkRunning({ ...review, running: false })).toEqual(refusal);
    expect(checkParticipant({ ...review, running: false }, "alice")).toEqual(refusal);
    expect(checkRunning({ ...review, running: false, tag: "pr-1", file: "flows/r.yaml" })).toMatchObject({
      error: {
        message: 'workflow "review:pr-1" is not running.',
        hint: "Start it with: agent-worker start flows/r.yaml --tag pr-1",
      },
    });
    expect(checkRunning(review)).toEqual({ ok: true, value: { workflow: "review", tag: "main" } });
  });

  it("is what the workflow file says [route.not-participant]", () => {
    expect(checkParticipant(review, "bob")).toEqual({ ok: true, value: "bob" });
    expect(checkParticipant(review, "carol")).toEqual({
      ok: false,
      error: {
        code: "not_participant",
        message: 'carol is not a participant in workflow "review".',
        hint: "Add carol to .workflows/review.yaml first.",
        details: { workflow: "review", tag: "main", agent: "carol", participants: ["alice", "bob"] },
      },
    });
    expect(checkParticipant({ ...review, file: "flows/r.yaml" }, "carol")).toMatchObject({
      error: { hint: "Add carol to flows/r.yaml first." },
    });
  });

  it("suggests the same name in another case [route.not-participant]", () => {
    expect(checkParticipant(review, "Alice")).toMatchObject({
      error: { code: "not_participant", hint: "Did you mean alice?" },
    });
  });
});
