import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packIn } from "../support/packed-package.ts";
import { repository } from "../support/team/planted-project.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** The package as people install it: with each package manager, and on each Node that it names. */
const folder = temporaryFolder();
const tools = join(repository, "test/installers/node_modules");
const PATIENT = { timeout: 120_000 };
const nodes = [
  { name: "Node 24", bin: dirname(process.execPath) },
  { name: "Node 25", bin: join(tools, "node-25/bin") },
  { name: "Node 26", bin: join(tools, "node-26/bin") },
];
let tarball = "";

beforeAll(() => {
  tarball = packIn(folder.path);
}, 120_000);
afterAll(() => folder[Symbol.dispose](), 120_000);

function run(place: string, command: readonly [string, ...string[]], bin = dirname(process.execPath)) {
  const cwd = folder.in(place);
  mkdirSync(cwd, { recursive: true });
  if (!existsSync(join(cwd, "package.json"))) writeFileSync(join(cwd, "package.json"), '{ "private": true }');
  const [program, ...args] = command;
  const env = {
    ...process.env,
    PATH: `${bin}:/usr/bin:/bin`,
    AGENT_WORKER_HOME: join(cwd, "home"),
    AGENT_WORKER_PORT: "0",
  };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: "utf8", timeout: 110_000 });
  return { status, output: `${stdout}${stderr}` };
}

describe("the package", () => {
  it.each(nodes)("is installed with npm -g and runs on $name [begin.install]", PATIENT, ({ name, bin }) => {
    const prefix = folder.in(name.replace(" ", ""));
    expect(run(name, ["npm", "install", "-g", "--prefix", prefix, tarball], bin)).toMatchObject({ status: 0 });
    expect(run(name, [join(prefix, "bin/agent-worker"), "demo"], bin)).toMatchObject({ status: 0 });
  });

  it("is below 60 MB and 40 packages [begin.install]", () => {
    const modules = folder.in("Node24/lib/node_modules");
    const files = globSync("**/*", { cwd: modules, withFileTypes: true }).filter((each) => each.isFile());
    const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
    const packages = files.filter(
      ({ name, parentPath }) => name === "package.json" && /node_modules\/(@[^/]+\/)?[^/]+$/.test(parentPath),
    );
    expect(bytes / 1024 / 1024).toBeLessThan(60);
    expect(packages.length).toBeLessThan(40);
  });

  it("runs with npx [begin.install]", PATIENT, () => {
    expect(run("npx", ["npx", "-y", "-p", tarball, "agent-worker", "demo"])).toMatchObject({ status: 0 });
  });

  it.each(["pnpm", "yarn", "bun"])("is installed with %s and runs [begin.install]", PATIENT, (manager) => {
    expect(run(manager, [join(tools, ".bin", manager), "add", tarball])).toMatchObject({ status: 0 });
    const command = join(folder.in(manager), "node_modules/.bin/agent-worker");
    expect(run(manager, [command, "demo"])).toMatchObject({ status: 0 });
  });

  it("names a command on an older Node, which works as it is typed [begin.old-node]", PATIENT, () => {
    const launcher = folder.in("Node24/lib/node_modules/agent-worker/bin/agent-worker.js");
    const pretend = folder.in("old.cjs");
    writeFileSync(
      pretend,
      'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.1.0" } });\n',
    );
    const refused = run("old", [process.execPath, "--require", pretend, launcher, "version"]);
    expect(refused.status).toBe(2);
    const [, typed = ""] = /^ {2}(npx .+)$/m.exec(refused.output) ?? [];
    expect(run("old", ["/bin/sh", "-c", typed])).toMatchObject({
      status: 0,
      output: expect.stringMatching(/^\d+\.\d+\.\d+ \(/m),
    });
  });
});
