import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { accepts } from "../fixtures/definitions/draft7.ts";
import { commandFolder } from "../support/daemon/installed-command.ts";
import { makeRepository } from "../support/repository/git-repository.ts";
import { TEAM } from "../support/team/team.ts";

const EXAMPLES: Readonly<Record<string, unknown>> = {
  agent: parse(TEAM[".agents/alice.yaml"] ?? ""),
  workflow: parse(TEAM[".workflows/review.yaml"] ?? ""),
  project: { agents: [".agents/alice.yaml"], store: { path: "data/team.db" } },
};

describe("agent-worker schema", () => {
  it.each(Object.keys(EXAMPLES))(
    "[cli.schema] prints a schema that tells a good %s file from a bad one",
    async (kind) => {
      using folder = commandFolder();
      const { exit, out, err } = await folder.run(["schema", kind]);
      expect({ exit, err }).toEqual({ exit: 0, err: "" });
      const schema = JSON.parse(out) as object;
      expect(schema).toMatchObject({ $schema: "http://json-schema.org/draft-07/schema#" });
      expect(accepts(schema, EXAMPLES[kind])).toBe(true);
      expect(accepts(schema, { ...Object(EXAMPLES[kind]), nonsense: true })).toBe(false);
    },
  );

  it("[begin.schemas] --write writes nothing where there is no project", async () => {
    using folder = commandFolder({ "notes/a.txt": "a" });
    const refused = await folder.run(["schema", "--write"], { cwd: "notes", env: { HOME: folder.in("notes") } });
    expect(refused).toMatchObject({ exit: 3, out: "", err: /is not a project.*agent-worker init/s });
    expect(existsSync(folder.in("notes/.agents"))).toBe(false);
  });

  it("[begin.schemas] --write puts them where the first lines name them, also those of earlier versions", async () => {
    using folder = commandFolder({
      ".agents/zoe.yaml": `# yaml-language-server: $schema=../.workspace/schema/agent.json\n${TEAM[".agents/alice.yaml"]}`,
      ".workflows/own.yaml": "# mine\nagents: { zoe: zoe }\n",
    });
    const { exit, out } = await folder.run(["schema", "--write", "--json"]);
    expect(exit).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ renewed: [".agents/zoe.yaml"] });
    const [first = ""] = readFileSync(folder.in(".agents/zoe.yaml"), "utf8").split("\n");
    const named = folder.in(`.agents/${first.replace(/^.*=/, "")}`);
    expect(accepts(JSON.parse(readFileSync(named, "utf8")) as object, EXAMPLES["agent"])).toBe(true);
    expect(readFileSync(folder.in(".workflows/own.yaml"), "utf8")).toMatch(/^# mine\n/);
    expect((await folder.run(["init", "."])).exit).toBe(0);
    expect(readFileSync(folder.in(".gitignore"), "utf8")).not.toContain("schema");
  });

  it("[begin.schemas] are one line each in a diff of a branch that brings a team", async () => {
    using folder = commandFolder({ "a.txt": "a\n" });
    const git = makeRepository(folder.path);
    expect((await folder.run(["init", ".", "--yes", "--backend", "mock"])).exit).toBe(0);
    git("add", "-A");
    const diff = git("diff", "--cached");
    expect(diff).toContain("+name: alice");
    expect(diff).toMatch(/Binary files .*agent\.json differ/);
    expect(diff.length).toBeLessThan(5_000);
  });

  it("[cli.schema] [cli.errors] names the kinds there are", async () => {
    using folder = commandFolder();
    const answer = { exit: 2, out: "", err: expect.stringContaining("agent|workflow|project") };
    expect(await folder.run(["schema", "agnet"])).toEqual(answer);
    expect(await folder.run(["schema"])).toEqual(answer);
    expect(await folder.run(["schema", "agent", "workflow"])).toEqual(answer);
  });
});
