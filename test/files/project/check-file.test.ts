import { describe, expect, it } from "vitest";
import { checkFile } from "../../../src/files/project/check-file.ts";
import { loadProject } from "../../../src/files/project/load-project.ts";
import { commandFolder, type CommandFolder } from "../../support/daemon/installed-command.ts";
import { agentFile } from "../../support/team/team.ts";

async function check(folder: CommandFolder, file: string) {
  const { agents, workflows, problems } = checkFile(folder.in("p"), file, await loadProject(folder.in("p")));
  return { agents, workflows, problems: problems.map((each) => `${each.file.split("/").at(-1)}:${each.line}`) };
}

describe("checkFile", () => {
  it("reads a file as the project does, or as what its keys say", async () => {
    using folder = commandFolder({
      ...Object.fromEntries(Object.entries(agentFile("alice")).map(([path, text]) => [`p/${path}`, text])),
      "p/.agents/zed.yaml": "modle: x\nbackend: mock\nprompt: { system: Hi }\n",
      "p/.workflows/w.yaml": "agents: { alice: alcie }\n",
      "p/root.yaml": "agents: { alice: alcie }\n",
      "outside.yaml": "agents: { alice: alice\n",
      "sound.yaml": "agents: { alice: alice }\n",
      "agent.yaml": "backend: mock\n",
      "project.yaml": "defaults: { modle: auto }\n",
      "odd.yaml": "colour: red\n",
    });
    expect(await check(folder, "../sound.yaml")).toEqual({ agents: [], workflows: ["sound"], problems: [] });
    expect(await check(folder, "../outside.yaml")).toMatchObject({ problems: ["outside.yaml:2"] });
    expect(await check(folder, "root.yaml")).toEqual({ agents: [], workflows: ["root"], problems: ["root.yaml:1"] });
    expect(await check(folder, ".workflows/w.yaml")).toMatchObject({ workflows: ["w"], problems: ["w.yaml:1"] });
    expect(await check(folder, ".agents/zed.yaml")).toEqual({ agents: [], workflows: [], problems: ["zed.yaml:1"] });
    expect(await check(folder, ".agents/alice.yaml")).toEqual({ agents: ["alice"], workflows: [], problems: [] });
    expect((await check(folder, "../agent.yaml")).problems).toEqual(["agent.yaml:1"]);
    expect((await check(folder, "../project.yaml")).problems).toEqual(["project.yaml:1"]);
    expect((await check(folder, "../odd.yaml")).problems).toEqual(["odd.yaml:1"]);
  });
});
