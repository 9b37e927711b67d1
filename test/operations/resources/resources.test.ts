import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { person } from "../../../src/kernel/caller.ts";
import { textPage } from "../../../src/operations/core/text-page.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import { createResource } from "../../../src/operations/resources/create-resource.ts";
import { readResource } from "../../../src/operations/resources/read-resource.ts";
import { closeWorkspace } from "../../../src/operations/workspaces/close-workspace.ts";
import { openWorkspace } from "../../../src/operations/workspaces/open-workspace.ts";
import { runs } from "../../property.ts";
import { agentCaller } from "../../support/team/agent-caller.ts";
import { callOk, callRefused, openTestProject, type TestProject } from "../../support/team/project.ts";

const alice = agentCaller("alice", "@review:main");
const aliceElsewhere = agentCaller("alice", "@passing:main");
const aliceAlone = agentCaller("alice");

async function reviewProject(): Promise<TestProject> {
  const project = await openTestProject({
    files: {
      ".agents/alice.yaml": "backend: mock\nprompt: { system: Hello. }\n",
      ".workflows/review.yaml": "agents:\n  alice: { ref: alice }\n",
      ".workflows/passing.yaml": "agents:\n  alice: { ref: alice }\nworkspace: { provider: memory }\n",
    },
  });
  await callOk(project, person, openWorkspace, { workflow: "review" });
  await callOk(project, person, openWorkspace, { workflow: "passing" });
  return project;
}

const created = (project: TestProject) => project.published.filter(({ type }) => type === "resource.created");

describe("a resource", () => {
  it("[resource.content-addressed] is its content: the same text is kept once and has one id", async () => {
    await using project = await reviewProject();
    const first = await callOk(project, alice, createResource, { content: "a long text", type: "text/markdown" });
    const again = await callOk(project, person, createResource, { target: "@review", content: "a long text" });
    expect(again).toEqual(first);
    expect(created(project)).toMatchObject([{ space: "@review:main", resource: first.id }]);
    const other = await callOk(project, alice, createResource, { content: "another text" });
    expect(other.id).not.toBe(first.id);
  });

  it("[resource.facts] keeps its type, its size and who made it", async () => {
    await using project = await reviewProject();
    const made = await callOk(project, alice, createResource, { content: "größe", type: "text/markdown" });
    const facts = { type: "text/markdown", bytes: 7, createdBy: "alice", createdAt: "2026-01-05T09:00:00.000Z" };
    expect(made).toMatchObject(facts);
    expect(await callOk(project, alice, readResource, { id: made.id })).toMatchObject(facts);
    expect(await callOk(project, person, createResource, { target: "alice", content: "x" })).toMatchObject({
      type: "text/plain",
      createdBy: "user",
    });
  });

  it("[resource.read] is read back as it was, also after a restart", async () => {
    const first = await reviewProject();
    const content = `\uFEFFline\r\n\0 tab\t emoji 👩‍👩‍👧 "quotes" ${"x".repeat(5000)}\n`;
    const { id } = await callOk(first, alice, createResource, { content });
    await using project = await first.reopen();
    const page = await callOk(project, alice, readResource, { id });
    expect(page).toMatchObject({ content, offset: 0, next: null, total: [...content].length });
  });

  it("[resource.page] comes in parts that never cut a character", async () => {
    await using project = await reviewProject();
    const content = "ab👍cd👎ef";
    const { id } = await callOk(project, alice, createResource, { content });
    const parts: string[] = [];
    for (let offset: number | null = 0; offset !== null;) {
      const page: { content: string; next: number | null; total: number } = await callOk(project, alice, readResource, {
        id,
        offset,
        limit: 3,
      });
      expect(page.total).toBe(8);
      parts.push(page.content);
      offset = page.next;
    }
    expect(parts).toEqual(["ab👍", "cd👎", "ef"]);
    const beyond = await callOk(project, alice, readResource, { id, offset: 99 });
    expect(beyond).toMatchObject({ content: "", next: null, offset: 99 });
  });

  it("[resource.page] is whole again when parts of any size are joined", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 1, max: 7 }), (text, limit) => {
        let joined = "";
        for (let offset: number | null = 0; offset !== null;) {
          const page = textPage(text, offset, limit);
          expect(page.content.isWellFormed()).toBe(true);
          expect([...page.content].length).toBeLessThanOrEqual(limit);
          joined += page.content;
          offset = page.next;
        }
        expect(joined).toBe(text);
      }),
      runs(300),
    );
  });

  it("[resource.scope] is known only where it was created or posted; a person reads it anywhere", async () => {
    await using project = await reviewProject();
    const { id } = await callOk(project, alice, createResource, { content: "only in review" });
    for (const elsewhere of [aliceElsewhere, aliceAlone, agentCaller("bob", "@other:main")]) {
      const refusal = await callRefused(project, elsewhere, readResource, { id });
      expect(refusal).toMatchObject({ code: "not_found", message: `There is no resource ${id} here.` });
    }
    expect((await callRefused(project, aliceElsewhere, readResource, { id, target: "@review" })).code).toBe(
      "forbidden",
    );
    expect((await callRefused(project, person, readResource, { id, target: "@passing" })).code).toBe("not_found");
    expect((await callOk(project, person, readResource, { id, target: "@review" })).content).toBe("only in review");
    expect((await callOk(project, person, readResource, { id })).content).toBe("only in review");

    const { resource } = await callOk(project, person, sendMessage, { to: "@passing", message: "word ".repeat(4000) });
    const posted = await callOk(project, aliceElsewhere, readResource, { id: resource ?? "", limit: 10 });
    expect(posted.content).toBe("word word ");
    expect((await callOk(project, person, readResource, { id: resource ?? "" })).total).toBe(20_000);
    expect((await callRefused(project, alice, readResource, { id: resource ?? "" })).code).toBe("not_found");
  });

  it("[resource.unknown] has an id of one form, which is never a path", async () => {
    await using project = await reviewProject();
    for (const id of ["", "res_1", "../../etc/passwd", "res_../../../../etc/passwd", `res_${"G".repeat(32)}`]) {
      const refusal = await callRefused(project, person, readResource, { id });
      expect(refusal.code, id).toBe("invalid");
      expect(refusal.message).toContain('in "id"');
    }
    const unknown = await callRefused(project, alice, readResource, { id: `res_${"0".repeat(32)}` });
    expect(unknown).toMatchObject({ code: "not_found" });
    expect(unknown.hint).toContain("[resource:ID]");
  });

  it("is redacted before it is kept", async () => {
    await using project = await reviewProject();
    const { id } = await callOk(project, alice, createResource, { content: `key sk-ant-${"a1B2".repeat(12)} end` });
    const { content } = await callOk(project, alice, readResource, { id });
    expect(content).not.toContain("a1B2");
    expect(content).toMatch(/^key .* end$/);
  });

  it("needs a place that exists and is open", async () => {
    await using project = await reviewProject();
    const refusals = [
      await callRefused(project, person, createResource, { content: "text" }),
      await callRefused(project, person, createResource, { target: "@deploy", content: "text" }),
      await callRefused(project, person, createResource, { target: "carol", content: "text" }),
      await callRefused(project, alice, createResource, { target: "@passing", content: "text" }),
      await callRefused(project, alice, createResource, { content: "" }),
      await callRefused(project, alice, createResource, { content: "text", type: "no type" }),
    ];
    expect(refusals.map(({ code }) => code)).toEqual([
      "invalid",
      "not_running",
      "not_found",
      "forbidden",
      "invalid",
      "invalid",
    ]);
    await callOk(project, person, closeWorkspace, { target: "@review" });
    const closed = await callRefused(project, person, createResource, { target: "@review", content: "text" });
    expect(closed.code).toBe("not_running");
    expect(created(project)).toEqual([]);
  });
});
