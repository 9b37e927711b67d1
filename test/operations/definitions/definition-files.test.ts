import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { person } from "../../../src/kernel/caller.ts";
import { showAgent } from "../../../src/operations/agents/show-agent.ts";
import { checkDefinitionFile } from "../../../src/operations/definitions/check-definition-file.ts";
import { listDefinitionFiles } from "../../../src/operations/definitions/list-definition-files.ts";
import { readDefinitionFile } from "../../../src/operations/definitions/read-definition-file.ts";
import { writeDefinitionFile } from "../../../src/operations/definitions/write-definition-file.ts";
import { agentCaller } from "../../support/team/agent-caller.ts";
import { callOk, callRefused, openTestProject } from "../../support/team/project.ts";

const FILES = {
  ".agents/alice.yaml": "# Reviews.\nbackend: mock\nprompt: { system: Hello. }\n",
  ".agents/bob.yaml": "backend: mock\nprompt: { system_file: prompts/bob.md }\n",
  "prompts/bob.md": "You are Bob.\n",
  "prompts/other.md": "Not a prompt of anybody.\n",
  ".workflows/review.yaml": "agents:\n  alice: { ref: alice }\n",
  ".agents/broken.yaml": "backend: [\n",
};

const read = async (project: Awaited<ReturnType<typeof openTestProject>>, file: string) =>
  callOk(project, person, readDefinitionFile, { file });

describe("definition files", () => {
  it("[definition.edit] lists agents, workflows and prompts, also a broken file, and nothing else", async () => {
    await using project = await openTestProject({ files: FILES });
    const { files } = await callOk(project, person, listDefinitionFiles, {});
    expect(new Set(files.map(({ file, kind, name }) => [file, kind, name]))).toEqual(
      new Set([
        [".agents/alice.yaml", "agent", "alice"],
        [".agents/bob.yaml", "agent", "bob"],
        [".agents/broken.yaml", "agent", "broken"],
        [".workflows/review.yaml", "workflow", "review"],
        ["prompts/bob.md", "prompt", "bob"],
      ]),
    );
    expect(files.find(({ name }) => name === "broken")?.problems).toBeGreaterThan(0);
    for (const file of ["prompts/other.md", "../outside.yaml", "/etc/passwd", ".env", ".agents/alice/memory/x.yaml"]) {
      const refused = await callRefused(project, person, readDefinitionFile, { file });
      expect(["not_found", "invalid"]).toContain(refused.code);
    }
  });

  it("[definition.edit] replaces a file with the revision that was read, and keeps comments", async () => {
    await using project = await openTestProject({ files: FILES });
    const { text, revision } = await read(project, ".agents/alice.yaml");
    expect(text).toBe(FILES[".agents/alice.yaml"]);
    const next = text.replace("Hello.", "Be short.");
    const written = await callOk(project, person, writeDefinitionFile, {
      file: ".agents/alice.yaml",
      text: next,
      revision,
    });
    expect(written).toMatchObject({ kind: "agent", name: "alice", changed: true });
    expect(readFileSync(join(project.dir, ".agents/alice.yaml"), "utf8")).toBe(next);
    expect(await callOk(project, person, showAgent, { name: "alice" })).toMatchObject({
      prompt: { system: "Be short." },
    });
    // The second writer has read the text before.
    const refused = await callRefused(project, person, writeDefinitionFile, {
      file: ".agents/alice.yaml",
      text: `${text}# mine\n`,
      revision,
    });
    expect(refused.code).toBe("stale_revision");
    expect(readFileSync(join(project.dir, ".agents/alice.yaml"), "utf8")).toBe(next);
  });

  it("[definition.edit] says what would be wrong, and writes nothing that has mistakes", async () => {
    await using project = await openTestProject({ files: FILES });
    const file = ".agents/alice.yaml";
    const { revision } = await read(project, file);
    const { problems } = await callOk(project, person, checkDefinitionFile, {
      file,
      text: "backend: mock\npromt: x\n",
    });
    expect(problems[0]).toMatchObject({ severity: "error", file });
    const renamed = "name: carol\nbackend: mock\nprompt: { system: Hello. }\n";
    expect((await callOk(project, person, checkDefinitionFile, { file, text: renamed })).problems).toHaveLength(1);
    for (const text of ["backend: mock\npromt: x\n", renamed, "a: [\n"]) {
      expect((await callRefused(project, person, writeDefinitionFile, { file, text, revision })).code).toBe("invalid");
    }
    const workflow = { file: ".workflows/review.yaml", text: "agents:\n  zed: { ref: zed }\n" };
    expect((await callOk(project, person, checkDefinitionFile, workflow)).problems).not.toEqual([]);
    expect(readFileSync(join(project.dir, file), "utf8")).toBe(FILES[file]);
  });

  it("[definition.edit] makes new agents and workflows, and mends a broken one", async () => {
    await using project = await openTestProject({ files: FILES });
    const agent = "backend: mock\nprompt: { system: New. }\n";
    await callOk(project, person, writeDefinitionFile, { file: ".agents/carol.yaml", text: agent, revision: null });
    await callOk(project, person, writeDefinitionFile, {
      file: ".workflows/pair.yaml",
      text: "agents:\n  carol: { ref: carol }\n",
      revision: null,
    });
    expect(await callOk(project, person, showAgent, { name: "carol" })).toMatchObject({ name: "carol" });
    const again = { file: ".agents/carol.yaml", text: agent, revision: null };
    expect((await callRefused(project, person, writeDefinitionFile, again)).code).toBe("stale_revision");
    const twice = { file: ".agents/carol.yml", text: agent, revision: null };
    expect((await callRefused(project, person, writeDefinitionFile, twice)).code).toBe("conflict");
    const { revision } = await read(project, ".agents/broken.yaml");
    await callOk(project, person, writeDefinitionFile, { file: ".agents/broken.yaml", text: agent, revision });
    expect(await callOk(project, person, showAgent, { name: "broken" })).toMatchObject({ name: "broken" });
  });

  it("[definition.edit] neither follows links nor lets agents in", async () => {
    await using project = await openTestProject({ files: FILES });
    writeFileSync(join(project.dir, "secret.txt"), "secret");
    symlinkSync("../secret.txt", join(project.dir, ".agents/link.yaml"));
    await callRefused(project, person, readDefinitionFile, { file: ".agents/link.yaml" });
    await callRefused(project, person, writeDefinitionFile, {
      file: ".agents/link.yaml",
      text: "backend: mock\nprompt: { system: x }\n",
      revision: null,
    });
    expect(readFileSync(join(project.dir, "secret.txt"), "utf8")).toBe("secret");
    const caller = agentCaller("alice", "alice");
    expect((await callRefused(project, caller, readDefinitionFile, { file: ".agents/alice.yaml" })).code).toBe(
      "forbidden",
    );
    const own = { file: ".agents/eve.yaml", text: "backend: mock\nprompt: { system: x }\n", revision: null };
    expect((await callRefused(project, caller, writeDefinitionFile, own)).code).toBe("forbidden");
    expect(existsSync(join(project.dir, ".agents/eve.yaml"))).toBe(false);
  });
});
