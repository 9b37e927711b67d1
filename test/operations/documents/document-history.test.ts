import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { person } from "../../../src/kernel/caller.ts";
import { listDocumentHistory } from "../../../src/operations/documents/list-document-history.ts";
import { writeDocument } from "../../../src/operations/documents/write-document.ts";
import { closeWorkspace } from "../../../src/operations/workspaces/close-workspace.ts";
import { openWorkspace } from "../../../src/operations/workspaces/open-workspace.ts";
import { agentCaller } from "../../support/team/agent-caller.ts";
import { callOk, openTestProject } from "../../support/team/project.ts";

const SPACE = "@review:main";
const alice = agentCaller("alice", SPACE);
const FILES = {
  ".agents/alice.yaml": "backend: mock\nprompt: { system: Hello. }\n",
  ".workflows/review.yaml": "agents:\n  alice: { ref: alice }\n",
};

describe("the history of a document", () => {
  it("[document.authors] says who wrote each revision, also of an earlier instance, and null for another program", async () => {
    await using project = await openTestProject({ files: FILES });
    await callOk(project, person, openWorkspace, { workflow: "review" });
    const write = { target: "@review", file: "notes.md" };
    await callOk(project, alice, writeDocument, { ...write, content: "one\n" });
    await callOk(project, person, writeDocument, { ...write, content: "two\n" });
    // A program that writes over the file takes away what it had.
    await callOk(project, alice, writeDocument, { ...write, content: "lost\n" });
    writeFileSync(join(project.dir, ".workspace/review/main/documents/notes.md"), "three\n");
    await callOk(project, alice, writeDocument, { ...write, content: "four\n" });
    const authors = async (earlier?: number) => {
      const { by, revisions } = await callOk(project, person, listDocumentHistory, {
        target: "@review",
        file: "notes.md",
        ...(earlier === undefined ? {} : { earlier }),
      });
      return [by, ...revisions.map((each) => each.by)];
    };
    expect(await authors()).toEqual(["alice", null, "user", "alice"]);
    await callOk(project, person, closeWorkspace, { target: "@review" });
    await callOk(project, person, openWorkspace, { workflow: "review" });
    expect(await authors(1)).toEqual(["alice", null, "user", "alice"]);
  });
});
