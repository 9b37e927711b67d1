import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { NO_EVENTS } from "../../../src/domain/event.ts";
import { person, systemCaller, type Caller } from "../../../src/kernel/caller.ts";
import { appendDocument } from "../../../src/operations/documents/append-document.ts";
import { createDocument } from "../../../src/operations/documents/create-document.ts";
import { listDocuments } from "../../../src/operations/documents/list-documents.ts";
import { readDocument } from "../../../src/operations/documents/read-document.ts";
import { setDocumentOwner } from "../../../src/operations/documents/set-document-owner.ts";
import { writeDocument } from "../../../src/operations/documents/write-document.ts";
import { readChannel } from "../../../src/operations/messages/read-channel.ts";
import { closeWorkspace } from "../../../src/operations/workspaces/close-workspace.ts";
import { openWorkspace } from "../../../src/operations/workspaces/open-workspace.ts";
import { agentCaller } from "../../support/team/agent-caller.ts";
import { callOk, callRefused, openTestProject, type TestProject } from "../../support/team/project.ts";

const AGENT = "backend: mock\nprompt: { system: Hello. }\n";
const TEAM = "agents:\n  alice: { ref: alice }\n  bob: { ref: bob }\n";
const SPACE = "@review:main";
const FOLDER = ".workspace/review/main/documents";

const alice = agentCaller("alice", SPACE);
const bob = agentCaller("bob", SPACE);

async function reviewProject(workspace = ""): Promise<TestProject> {
  const project = await openTestProject({
    files: {
      ".agents/alice.yaml": AGENT,
      ".agents/bob.yaml": AGENT,
      ".workflows/review.yaml": `${TEAM}${workspace}`,
      ".workflows/solo.yaml": "agents:\n  alice: { ref: alice }\nworkspace: { documentOwner: alice }\n",
      ".workflows/quiet.yaml": "agents:\n  alice: { ref: alice }\ncontext: false\n",
    },
  });
  await callOk(project, person, openWorkspace, { workflow: "review" });
  return project;
}

const written = (project: TestProject) => project.published.filter(({ type }) => type === "document.written");

/** What each way to write answers. */
async function refusedWrites(project: TestProject, caller: Caller, data: { file: string; content: string }) {
  return [
    await callRefused(project, caller, writeDocument, data),
    await callRefused(project, caller, appendDocument, data),
    await callRefused(project, caller, createDocument, data),
  ];
}

describe.each(["file", "sqlite"])("documents kept in %s", (documents) => {
  const team = () => reviewProject(`workspace: { documents: ${documents} }\n`);

  it("[document.default-file] [document.provider-sqlite] are written, read and listed by anyone", async () => {
    await using project = await team();
    const receipt = await callOk(project, alice, writeDocument, { content: "findings" });
    expect(receipt).toMatchObject({ space: SPACE, file: "notes.md" });
    expect(await callOk(project, bob, readDocument, {})).toEqual({ ...receipt, content: "findings" });
    expect(await callOk(project, person, readDocument, { target: "@review", file: "notes.md" })).toEqual({
      ...receipt,
      content: "findings",
    });
    const list = await callOk(project, bob, listDocuments, {});
    expect(list).toMatchObject({ space: SPACE, defaultFile: "notes.md", owner: null, electing: false });
    expect(list.documents.map(({ file, bytes }) => [file, bytes])).toEqual([["notes.md", 8]]);
    expect(existsSync(join(project.dir, FOLDER))).toBe(documents === "file");
  });

  it("[document.write] keep the revision before the last one", async () => {
    await using project = await team();
    await callOk(project, alice, writeDocument, { content: "one" });
    await callOk(project, bob, writeDocument, { content: "two" });
    expect((await callOk(project, alice, readDocument, {})).content).toBe("two");
    expect((await callOk(project, alice, readDocument, { previous: true })).content).toBe("one");
  });

  it("[document.revision-conflict] refuse a write on an outdated revision and leave nothing behind", async () => {
    await using project = await team();
    const first = await callOk(project, alice, writeDocument, { content: "one" });
    await callOk(project, bob, writeDocument, { content: "two", revision: first.revision });
    const refusal = await callRefused(project, alice, writeDocument, { content: "three", revision: first.revision });
    expect(refusal.code).toBe("stale_revision");
    expect((await callOk(project, alice, readDocument, {})).content).toBe("two");
    expect(written(project)).toHaveLength(2);
    const stored = (await project.store.read((store) => store.events.after(NO_EVENTS, 100))).events;
    expect(stored.filter(({ type }) => type === "document.written")).toHaveLength(2);
    if (documents === "file") expect(readdirSync(join(project.dir, FOLDER)).sort()).toEqual([".previous", "notes.md"]);
  });

  it("[document.append] start a line of their own, and the document if it is missing", async () => {
    await using project = await team();
    await callOk(project, alice, appendDocument, { content: "one" });
    await callOk(project, bob, appendDocument, { content: "two\n" });
    await callOk(project, person, appendDocument, { target: "@review", content: "three" });
    expect((await callOk(project, alice, readDocument, {})).content).toBe("one\ntwo\nthree");
  });

  it("[document.append] lose none of what many append at once", async () => {
    await using project = await team();
    const lines = Array.from({ length: 12 }, (_, index) => `line ${index}`);
    await Promise.all(
      lines.map((line, index) => callOk(project, index % 2 === 0 ? alice : bob, appendDocument, { content: line })),
    );
    const { content } = await callOk(project, alice, readDocument, {});
    expect(content.split("\n").sort()).toEqual(lines.sort());
    expect(written(project)).toHaveLength(lines.length);
  });

  it("[document.create] are created once", async () => {
    await using project = await team();
    await callOk(project, alice, createDocument, { file: "plans/week-1.md", content: "plan" });
    const refusal = await callRefused(project, bob, createDocument, { file: "plans/week-1.md", content: "other" });
    expect(refusal).toMatchObject({ code: "conflict" });
    expect(refusal.message).toContain("plans/week-1.md");
    const clash = await callRefused(project, bob, appendDocument, { file: "Plans/Week-1.md", content: "other" });
    expect(clash.code).toBe("conflict");
    expect((await callOk(project, bob, readDocument, { file: "plans/week-1.md" })).content).toBe("plan");
  });

  it("[document.missing] say which ones there are", async () => {
    await using project = await team();
    await callOk(project, alice, writeDocument, { content: "text" });
    const refusal = await callRefused(project, bob, readDocument, { file: "plan.md" });
    expect(refusal.code).toBe("not_found");
    expect(refusal.details).toEqual({ documents: ["notes.md"] });
  });

  it("[document.confined] have no names outside the workspace", async () => {
    await using project = await team();
    for (const file of ["../secret.md", "/etc/passwd", ".hidden", "a\0b", "a/../../b"]) {
      for (const refusal of await refusedWrites(project, alice, { file, content: "text" })) {
        expect(refusal.code, file).toMatch(/^(invalid|forbidden)$/);
      }
      expect((await callRefused(project, alice, readDocument, { file })).code, file).toMatch(/^(invalid|forbidden)$/);
    }
    expect(written(project)).toEqual([]);
  });

  it("are redacted before they are written, and a text that was there is left alone", async () => {
    await using project = await team();
    const secret = `sk-ant-${"a1B2".repeat(12)}`;
    await callOk(project, alice, writeDocument, { content: `key ${secret}` });
    await callOk(project, alice, appendDocument, { content: `again ${secret}` });
    const { content } = await callOk(project, alice, readDocument, {});
    expect(content).not.toContain("a1B2");
    expect(content).toMatch(/^key .*\nagain /);
  });
});

describe("the documents of a workspace", () => {
  it("[document.outside-edit] [document.append] keep an edit made between reading and writing", async () => {
    await using project = await reviewProject();
    const file = join(project.dir, FOLDER, "notes.md");
    await callOk(project, alice, writeDocument, { content: "one\n" });
    let edits = 0;
    const interrupted = (times: number): typeof appendDocument => ({
      ...appendDocument,
      async prepare(data, ctx) {
        const prepared = await appendDocument.prepare?.(data, ctx);
        if (prepared === undefined) throw new Error("append-document prepares");
        if (edits < times) writeFileSync(file, `edited ${(edits += 1)}\n`);
        return prepared;
      },
    });
    await callOk(project, alice, interrupted(3), { content: "mine" });
    expect(readFileSync(file, "utf8")).toBe("edited 3\nmine");

    const refusal = await callRefused(project, alice, interrupted(Infinity), { content: "never" });
    expect(refusal.code).toBe("stale_revision");
    expect(readFileSync(file, "utf8")).toBe(`edited ${edits}\n`);
    expect(readdirSync(join(project.dir, FOLDER)).sort()).toEqual([".previous", "notes.md"]);
  });

  it("[document.list] [document.symlink] are those of no other workspace", async () => {
    await using project = await reviewProject();
    await callOk(project, person, openWorkspace, { workflow: "review", tag: "two" });
    await callOk(project, person, writeDocument, { target: "@review:two", file: "other.md", content: "text" });
    mkdirSync(join(project.dir, FOLDER), { recursive: true });
    symlinkSync(join(project.dir, ".agents/alice.yaml"), join(project.dir, FOLDER, "link.md"));
    expect((await callOk(project, alice, listDocuments, {})).documents).toEqual([]);
    expect((await callRefused(project, alice, readDocument, { file: "link.md" })).code).not.toBe("not_found");
    expect((await callRefused(project, alice, readDocument, { file: "other.md" })).code).toBe("not_found");
    const elsewhere = await callRefused(project, alice, readDocument, { target: "@review:two", file: "other.md" });
    expect(elsewhere.code).toBe("forbidden");
    expect(elsewhere.message).toContain("@review:two");
  });

  it("[document.owner-writes] are written by the configured owner alone, and others are told to suggest", async () => {
    await using project = await reviewProject("workspace: { documentOwner: bob }\n");
    for (const refusal of await refusedWrites(project, alice, { file: "plan.md", content: "mine" })) {
      expect(refusal).toMatchObject({ code: "forbidden", message: "Only bob writes the documents here." });
      expect(refusal.hint).toMatch(/Suggest .*team_doc_suggest/);
    }
    expect(written(project)).toEqual([]);
    await callOk(project, bob, writeDocument, { content: "bob's" });
    await callOk(project, person, appendDocument, { target: "@review", content: "a person's" });
    expect((await callOk(project, alice, readDocument, {})).content).toBe("bob's\na person's");
    expect(written(project).map((event) => "by" in event && event.by)).toEqual(["bob", "user"]);
  });

  it("[document.owner-single] are free where one agent works alone", async () => {
    await using project = await reviewProject();
    await callOk(project, person, openWorkspace, { workflow: "solo" });
    await project.store.transact(async (store) => {
      await store.workspaces.setDocumentOwner("@solo:main", "somebody");
      return { ok: true, value: undefined };
    });
    const solo = agentCaller("alice", "@solo:main");
    await callOk(project, solo, writeDocument, { content: "mine" });
    expect((await callOk(project, solo, readDocument, {})).content).toBe("mine");
  });

  it("[document.owner-unset] are everybody's until someone is made the owner", async () => {
    await using project = await reviewProject();
    await callOk(project, alice, writeDocument, { content: "alice's" });
    await callOk(project, bob, writeDocument, { content: "bob's" });
    expect(await callOk(project, person, setDocumentOwner, { target: "@review", owner: "alice" })).toEqual({
      space: SPACE,
      owner: "alice",
    });
    expect((await callRefused(project, bob, writeDocument, { content: "bob's again" })).code).toBe("forbidden");
    await callOk(project, alice, writeDocument, { content: "alice's again" });
    await callOk(project, systemCaller, setDocumentOwner, { target: "@review", owner: null });
    await callOk(project, bob, writeDocument, { content: "bob's at last" });
    expect(project.published.filter(({ type }) => type === "document.owner")).toMatchObject([
      { space: SPACE, owner: "alice" },
      { space: SPACE, owner: null },
    ]);
  });

  it("wait for the owner that is being elected", async () => {
    await using project = await reviewProject("workspace: { documentOwner: elect }\n");
    expect(await callOk(project, alice, listDocuments, {})).toMatchObject({ owner: null, electing: true });
    for (const refusal of await refusedWrites(project, alice, { file: "plan.md", content: "early" })) {
      expect(refusal.code).toBe("forbidden");
      expect(refusal.message).toBe("Nobody writes the documents before their owner is elected.");
    }
    await callOk(project, systemCaller, setDocumentOwner, { target: "@review", owner: "alice" });
    await callOk(project, alice, writeDocument, { content: "now" });
    expect(await callOk(project, bob, listDocuments, {})).toMatchObject({ owner: "alice", electing: false });
  });

  it("have an owner who takes part", async () => {
    await using project = await reviewProject();
    const refusal = await callRefused(project, person, setDocumentOwner, { target: "@review", owner: "carol" });
    expect(refusal).toMatchObject({ code: "not_participant", details: { participants: ["alice", "bob"] } });
    expect((await callOk(project, person, listDocuments, { target: "@review" })).owner).toBeNull();
  });

  it("[proposal.access] are not given away by an agent, and the refusal changes nothing", async () => {
    await using project = await reviewProject();
    const refusal = await callRefused(project, alice, setDocumentOwner, { owner: "alice" });
    expect(refusal.code).toBe("forbidden");
    expect((await callOk(project, bob, listDocuments, {})).owner).toBeNull();
    expect(project.published.map(({ type }) => type)).toEqual(["workspace.opened"]);
    expect(setDocumentOwner.ballotable).toBe(true);
  });

  it("may get an owner while a write is on its way, which is then refused", async () => {
    await using project = await reviewProject();
    const overtaken: typeof writeDocument = {
      ...writeDocument,
      async execute(data, ctx, prepared) {
        await ctx.store.workspaces.setDocumentOwner(SPACE, "bob");
        return writeDocument.execute(data, ctx, prepared);
      },
    };
    expect((await callRefused(project, alice, overtaken, { content: "late" })).code).toBe("forbidden");
    expect(readdirSync(join(project.dir, FOLDER))).toEqual([]);
    expect(written(project)).toEqual([]);
  });

  it("[mention.document-none] mention nobody", async () => {
    await using project = await reviewProject();
    await callOk(project, alice, writeDocument, { content: "@bob please look" });
    expect(project.woken).toEqual([]);
    expect((await callOk(project, alice, readChannel, {})).messages).toEqual([]);
  });

  it("are read after it closed, and written no more", async () => {
    await using project = await reviewProject();
    await callOk(project, alice, writeDocument, { content: "kept" });
    await callOk(project, person, closeWorkspace, { target: "@review" });
    expect((await callOk(project, person, readDocument, { target: "@review" })).content).toBe("kept");
    const refusal = await callRefused(project, person, writeDocument, { target: "@review", content: "late" });
    expect(refusal).toMatchObject({ code: "not_running" });
    expect(refusal.hint).toContain("agent-worker start review");
    const owner = await callRefused(project, person, setDocumentOwner, { target: "@review", owner: "alice" });
    expect(owner.code).toBe("not_running");
  });

  it("do not exist without a workspace, or where the workflow wants none", async () => {
    await using project = await reviewProject();
    expect((await callRefused(project, agentCaller("alice"), readDocument, {})).code).toBe("forbidden");
    expect((await callRefused(project, person, readDocument, { target: "alice" })).code).toBe("not_found");
    expect((await callRefused(project, person, readDocument, {})).code).toBe("invalid");
    expect((await callRefused(project, person, readDocument, { target: "@deploy" })).code).toBe("not_running");
    await callOk(project, person, openWorkspace, { workflow: "quiet" });
    const refusal = await callRefused(project, person, writeDocument, { target: "@quiet", content: "text" });
    expect(refusal).toMatchObject({ code: "not_found", message: 'Workflow "quiet" has no documents.' });
  });

  it("[proposal.schema] are refused as input by the field that is wrong", async () => {
    await using project = await reviewProject();
    const refusal = await callRefused(project, alice, appendDocument, { content: "" });
    expect(refusal).toMatchObject({ code: "invalid" });
    expect(refusal.message).toContain('nothing to append in "content"');
    expect((await callRefused(project, alice, writeDocument, { content: "x".repeat(1024 * 1024 + 1) })).code).toBe(
      "invalid",
    );
    const bytes = await callRefused(project, alice, writeDocument, { content: "é".repeat(1024 * 1024) });
    expect(bytes.code).toBe("too_large");
  });
});
