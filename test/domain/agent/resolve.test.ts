import { describe, expect, it } from "vitest";
import type { AgentDefinition } from "../../../src/domain/agent/definition.ts";
import { resolveEntry } from "../../../src/domain/agent/resolve.ts";
import { refused, value } from "../../support/result.ts";

const alice: AgentDefinition = {
  name: "alice",
  model: "anthropic/claude-sonnet-4-5",
  backend: "sdk",
  prompt: { system: "You are Alice." },
  soul: { role: "reviewer", expertise: ["typescript"] },
  contextDir: ".agents/alice",
  maxTokens: 8_000,
  budget: { tokens: 100_000, turns: 50 },
  env: { A: "1", B: "2" },
};
const lookup = (ref: string): AgentDefinition | undefined => (ref === "alice" ? alice : undefined);

describe("resolveEntry", () => {
  it("takes a referred agent as it is [agent.ref]", () => {
    expect(value(resolveEntry("alice", { kind: "ref", ref: "alice" }, lookup))).toEqual({
      name: "alice",
      definition: alice,
      isRef: true,
      refName: "alice",
    });
  });

  it("keeps prompt and soul and carries the addition beside them [agent.ref-append]", () => {
    const entry = { kind: "ref", ref: "alice", promptAppend: "Focus on security." } as const;
    const resolved = value(resolveEntry("alice", entry, lookup));
    expect(resolved.promptAppend).toBe("Focus on security.");
    expect(resolved.definition).toEqual(alice);
    expect(value(resolveEntry("alice", { kind: "ref", ref: "alice", promptAppend: " \n" }, lookup))).not.toHaveProperty(
      "promptAppend",
    );
  });

  it("replaces runtime settings key by key and leaves the agent itself alone [agent.ref-overrides]", () => {
    const before = structuredClone(alice);
    const entry = { kind: "ref", ref: "alice", maxTokens: 16_000, budget: { turns: 5 }, env: { C: "3" } } as const;
    const { definition } = value(resolveEntry("alice", entry, lookup));
    expect(definition).toEqual({ ...alice, maxTokens: 16_000, budget: { turns: 5 }, env: { C: "3" } });
    expect(definition).not.toHaveProperty("kind");
    expect(definition).not.toHaveProperty("ref");
    expect(alice).toEqual(before);
  });

  it("knows an agent under another name and still brings its own context", () => {
    const resolved = value(resolveEntry("lead", { kind: "ref", ref: "alice" }, lookup));
    expect(resolved.name).toBe("lead");
    expect(resolved.definition.name).toBe("alice");
  });

  it("makes an inline agent from its entry alone, with and without a soul [agent.inline]", () => {
    const plain = { kind: "inline", model: "anthropic/claude-haiku-4-5", prompt: { system: "You help." } } as const;
    expect(value(resolveEntry("helper", plain, lookup))).toEqual({
      name: "helper",
      definition: { name: "helper", model: "anthropic/claude-haiku-4-5", prompt: { system: "You help." } },
      isRef: false,
    });
    const soul = { role: "db-specialist" };
    expect(value(resolveEntry("alice", { ...plain, soul }, lookup)).definition).toEqual({
      name: "alice",
      model: "anthropic/claude-haiku-4-5",
      prompt: { system: "You help." },
      soul,
    });
  });

  it("refuses a reference that leads nowhere and suggests one that does not [agent.ref-unknown]", () => {
    const refusal = refused(resolveEntry("reviewer", { kind: "ref", ref: "alcie" }, lookup, ["alice", "bob"]));
    expect(refusal).toMatchObject({
      code: "not_found",
      message: '"reviewer" refers to the agent "alcie", which does not exist.',
      hint: expect.stringMatching(/Did you mean "alice"\? Known agents: alice, bob\./),
    });
    expect(refused(resolveEntry("x", { kind: "ref", ref: "x" }, lookup)).hint).toContain("There are no agents.");
  });
});
