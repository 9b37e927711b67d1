import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { commandFolder } from "../support/daemon/installed-command.ts";
import { agentFile, TEAM } from "../support/team/team.ts";

const BROKEN = {
  ".agents/dora.yaml": "name: dora\nbackend: mokc\nprompt: { system: x }\nmodle: 3\n",
  ".workflows/ship.yaml": "name: ship\nagents:\n  alice: { ref: alcie }\n  x: [\n",
};

describe("agent-worker check", () => {
  it("[cli.check] finds nothing wrong with a sound project, and leaves no trace in it", async () => {
    using folder = commandFolder(TEAM);
    expect(await folder.run(["check"])).toEqual({ exit: 0, out: "3 agents, 1 workflow, 0 problems\n", err: "" });
    expect(JSON.parse((await folder.run(["check", "--json"])).out)).toEqual({
      agents: ["alice", "bob", "carol"],
      workflows: ["review"],
      problems: [],
    });
    expect(existsSync(folder.in(".workspace"))).toBe(false);
  });

  it("[cli.check] [cli.errors] shows every mistake with file, line and column, and what was meant", async () => {
    using folder = commandFolder({ ...TEAM, ...BROKEN });
    const { exit, out, err } = await folder.run(["check"]);
    expect(exit).toBe(2);
    expect(out).toMatch(/^3 agents, 1 workflow, \d+ problems\n$/);
    expect(err).toMatch(/^\.agents\/dora\.yaml:2:10: "backend" cannot be "mokc"\.$/m);
    expect(err).toContain('Did you mean "mock"?');
    expect(err).toMatch(/^\.agents\/dora\.yaml:4:1: Unknown key "modle"\.$/m);
    expect(err).toContain('  modle: 3\n  ^\n  hint: Did you mean "model"?');
    expect(err).toMatch(/^\.workflows\/ship\.yaml:\d+:\d+: This is not valid YAML/m);
  });

  it("[cli.check] tells programs the same, and nothing else", async () => {
    using folder = commandFolder({ ...TEAM, ...BROKEN });
    const { exit, out, err } = await folder.run(["check", "--json"]);
    expect({ exit, err }).toEqual({ exit: 2, err: "" });
    const { problems } = JSON.parse(out) as { readonly problems: readonly unknown[] };
    expect(problems).toContainEqual({
      severity: "error",
      file: ".agents/dora.yaml",
      line: 4,
      column: 1,
      path: ["modle"],
      message: 'Unknown key "modle".',
      text: "modle: 3",
      hint: 'Did you mean "model"?',
    });
  });

  it("[cli.project] looks at the project it is told, or at the one around the current folder", async () => {
    using folder = commandFolder({
      ...Object.fromEntries(Object.entries(TEAM).map(([path, text]) => [`one/${path}`, text])),
      ...Object.fromEntries(Object.entries(agentFile("zoe")).map(([path, text]) => [`two/${path}`, text])),
      "one/src/deep/file.txt": "",
    });
    const agents = async (args: readonly string[], cwd: string): Promise<unknown> =>
      (JSON.parse((await folder.run(["check", "--json", ...args], { cwd })).out) as { agents: unknown }).agents;
    expect(await agents([], "one/src/deep")).toEqual(["alice", "bob", "carol"]);
    expect(await agents(["--project", "../two"], "one")).toEqual(["zoe"]);
    expect(await agents([folder.in("two")], "one")).toEqual(["zoe"]);
    expect(await folder.run(["check", "--project", "none"])).toMatchObject({
      exit: 2,
      out: "",
      err: expect.stringMatching(/^Error: There is no folder .*none\.\nUsage: agent-worker check/),
    });
  });
});
