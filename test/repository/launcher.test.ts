import { type SpawnSyncReturns, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type PlantedProject, plantedProject, repository } from "../support/team/planted-project.ts";

interface ChooseNode {
  readonly oldestNode: string;
  isNewEnough(version: string): boolean;
  findBundledNode(folder: string): string | undefined;
}
const { oldestNode, isNewEnough, findBundledNode }: ChooseNode = createRequire(import.meta.url)(
  "../../bin/choose-node.js",
);

/** What the launcher starts here: it tells what it got, and ends as it is told. */
const program = `
const [how, ...rest]: string[] = process.argv.slice(2);
if (how === "wait") {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => (console.log(signal), process.exit(40)));
  setInterval(() => {}, 1000);
}
console.log(JSON.stringify({ version: process.version, how, rest, marked: "AGENT_WORKER_RESTARTED" in process.env }));
if (how === "exit") process.exit(Number(rest[0]));
if (how === "die") process.kill(process.pid, "SIGKILL");
if (how === "warn") {
  process.emitWarning("SQLite is an experimental feature and might change at any time", "ExperimentalWarning");
  process.emitWarning("Type Stripping is an experimental feature", { type: "ExperimentalWarning" });
  process.emitWarning("Sundials are an experimental feature", "ExperimentalWarning");
  process.emitWarning("SQLite is old", "DeprecationWarning", "DEP_X");
}
`;

/** Makes the Node that loads it say that it is an old one. */
const pretendOld = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.1.0" } });\n`;

function installed(): PlantedProject {
  const project = plantedProject({ "src/cli/main.ts": program, "pretend-old.cjs": pretendOld });
  cpSync(join(repository, "bin"), join(project.root, "bin"), { recursive: true });
  cpSync(join(repository, "package.json"), join(project.root, "package.json"));
  return project;
}

function bundle(project: PlantedProject, version: string): void {
  project.plant("node_modules/node/package.json", JSON.stringify({ version }));
  mkdirSync(join(project.root, "node_modules/node/bin"));
  symlinkSync(process.execPath, join(project.root, "node_modules/node/bin/node"));
}

/** The Nodes on this machine that are too old to run the program, and one that only says so. */
const oldNodes = [
  { name: "a Node that says it is old", node: process.execPath, flags: ["--require", "./pretend-old.cjs"] },
  ...[...new Set((process.env.PATH ?? "").split(":"))]
    .map((folder) => join(folder, "node"))
    .filter((node) => {
      const { status, stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
      return status === 0 && !isNewEnough(stdout.slice(1));
    })
    .slice(0, 1)
    .map((node) => ({ name: "the old Node of this machine", node, flags: [] })),
];

function launch(project: PlantedProject, node: string, args: readonly string[], env = {}): SpawnSyncReturns<string> {
  const options = { cwd: project.root, encoding: "utf8", env: { ...process.env, ...env }, timeout: 20_000 } as const;
  return spawnSync(node, args, options);
}

describe("the launcher on a Node that is new enough", () => {
  it("starts the program in the same process, with its arguments and exit code", () => {
    using project = installed();
    const { status, stdout, stderr } = launch(project, process.execPath, ["bin/agent-worker.js", "exit", "7", "a b"]);
    expect({ status, stderr }).toEqual({ status: 7, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({ version: process.version, how: "exit", rest: ["7", "a b"], marked: false });
  });

  it("runs the built program where there are no sources, and the sources where there are", () => {
    using project = installed();
    project.plant("dist/cli/main.js", `console.log("built");`);
    expect(launch(project, process.execPath, ["bin/agent-worker.js"]).stdout).not.toBe("built\n");
    rmSync(join(project.root, "src"), { recursive: true });
    expect(launch(project, process.execPath, ["bin/agent-worker.js"]).stdout).toBe("built\n");
  });

  it("hides what Node says about type stripping and SQLite, and nothing else", () => {
    using project = installed();
    const { stderr } = launch(project, process.execPath, ["bin/agent-worker.js", "warn"]);
    expect(stderr).not.toMatch(/SQLite is an experimental|Type Stripping/);
    expect(stderr).toContain("ExperimentalWarning: Sundials are an experimental feature");
    expect(stderr).toContain("[DEP_X] DeprecationWarning: SQLite is old");
  });

  it("starts from a folder it cannot write to", () => {
    using project = installed();
    project.plant("node_modules/.cache", "a file where the cache would be");
    expect(launch(project, process.execPath, ["bin/agent-worker.js"]).status).toBe(0);
  });
});

describe.each(oldNodes)("the launcher on $name", ({ node, flags }) => {
  const launcher = [...flags, "bin/agent-worker.js"];

  it("goes over to the bundled Node, with arguments and exit code", () => {
    using project = installed();
    bundle(project, process.versions.node);
    const { status, stdout, stderr } = launch(project, node, [...launcher, "exit", "7", "a b"]);
    expect({ status, stderr }).toEqual({ status: 7, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({ version: process.version, how: "exit", rest: ["7", "a b"], marked: false });
  });

  it("dies of the signal the program died of", () => {
    using project = installed();
    bundle(project, process.versions.node);
    expect(launch(project, node, [...launcher, "die"])).toMatchObject({ status: null, signal: "SIGKILL" });
  });

  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("passes on %s", async (signal) => {
    using project = installed();
    bundle(project, process.versions.node);
    const child = spawn(node, [...launcher, "wait"], { cwd: project.root, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
    await once(child.stdout, "data");
    child.kill(signal);
    expect(await once(child, "close")).toEqual([40, null]);
    expect(output).toContain(`\n${signal}\n`);
  });

  it.each([
    ["there is no other", () => {}],
    ["the other is too old as well", (project: PlantedProject) => bundle(project, "24.14.9")],
  ])("says what is needed and what to type when %s", (_case, prepare) => {
    using project = installed();
    prepare(project);
    const { status, stdout, stderr } = launch(project, node, launcher);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(
      /^agent-worker needs Node 24\.15 or newer; this is Node [\d.]+\. `npm ci` brings one\. .*, or type:\n {2}npx -y -p node@24 node \/.*\n$/,
    );
  });

  it("does not start over and over when the bundled Node is older than it claims", () => {
    using project = installed();
    project.plant("node_modules/node/package.json", JSON.stringify({ version: "24.99.0" }));
    const liar = `#!/bin/sh\necho started >> starts\nexec "${node}" ${flags.join(" ")} "$@"\n`;
    project.plant("node_modules/node/bin/node", liar);
    chmodSync(join(project.root, "node_modules/node/bin/node"), 0o755);
    expect(launch(project, node, launcher).status).toBe(2);
    expect(readFileSync(join(project.root, "starts"), "utf8")).toBe("started\n");
  });

  it("says so when the bundled Node does not start", () => {
    using project = installed();
    project.plant("node_modules/node/package.json", JSON.stringify({ version: "24.99.0" }));
    project.plant("node_modules/node/bin/node", "not a program");
    expect(launch(project, node, launcher)).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/node_modules\/node\/bin\/node does not start \(EACCES\)/),
    });
  });
});

describe("the choice of a Node", () => {
  it("is the one of package.json", () => {
    const { engines }: { engines: { node: string } } = JSON.parse(
      readFileSync(join(repository, "package.json"), "utf8"),
    );
    expect(engines.node).toBe(`>=${oldestNode}`);
  });

  it.each([
    ["24.15.0", true],
    ["24.15.0-rc.1", true],
    ["24.100.0", true],
    ["25.0.0", true],
    ["100.1.0", true],
    ["24.14.9", false],
    ["9.99.0", false],
    ["20.20.2", false],
    ["", false],
    ["unknown", false],
  ])("takes %j for new enough: %s", (version, expected) => {
    expect(isNewEnough(version)).toBe(expected);
  });

  it("looks upwards and passes by what is too old or incomplete", () => {
    using project = plantedProject({
      "node_modules/node/package.json": '{"version":"24.20.0"}',
      "node_modules/node/bin/node.exe": "",
      "a/node_modules/node/package.json": '{"version":"18.0.0"}',
      "a/node_modules/node/bin/node": "",
      "a/b/node_modules/node/package.json": '{"version":"25.0.0"}',
      "a/b/c/node_modules/node/bin/node": "",
      "a/b/c/node_modules/node/package.json": "not json",
    });
    expect(findBundledNode(join(project.root, "a/b/c"))).toBe(join(project.root, "node_modules/node/bin/node.exe"));
  });
});
