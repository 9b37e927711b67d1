import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";

const FOLDER = join(import.meta.dirname, "../../examples/cluster");
const COMMAND = join(import.meta.dirname, "../../bin/agent-worker.js");
const UNIT = readFileSync(join(FOLDER, "agent-worker.service"), "utf8");
const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;

/** A value of the unit; `%h` is the home of its user. */
function unitValue(key: string, home: string): string {
  return (new RegExp(`^${key}=(.*)$`, "m").exec(UNIT)?.[1] ?? "").replaceAll("%h", home);
}

describe("the files of examples/cluster", () => {
  it("[docs.cluster-files] the command of the unit starts the daemon in its project, with the name of its file, and ends when it is told", async () => {
    using home = temporaryFolder();
    const [env, project] = [unitValue("EnvironmentFile", home.path), unitValue("WorkingDirectory", home.path)];
    for (const folder of [dirname(env), project, home.in("bin")]) mkdirSync(folder, { recursive: true });
    writeFileSync(env, "AGENT_WORKER_NODE=anna\nAGENT_WORKER_PORT=0\n", { mode: 0o600 });
    chmodSync(COMMAND, 0o755);
    symlinkSync(COMMAND, home.in("bin/agent-worker"));
    const variables = Object.fromEntries(
      readFileSync(env, "utf8")
        .trim()
        .split("\n")
        .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
    );
    const [program = "", ...args] = unitValue("ExecStart", home.path).split(" ");
    const path = [home.in("bin"), dirname(process.execPath), process.env["PATH"]].join(":");
    const daemon = spawn(program, args, { cwd: project, env: { HOME: home.path, PATH: path, ...variables } });
    const ended = once(daemon, "close");
    let said = "";
    await new Promise<void>((resolve, reject) => {
      daemon.stdout.setEncoding("utf8").on("data", (text: string) => {
        said += text;
        if (said.includes("\n")) resolve();
      });
      void ended.then(() => reject(new Error(`it ended: ${said}`)));
    });
    expect(said).toMatch(/127\.0\.0\.1/);
    const discovery = JSON.parse(readFileSync(home.in(".agent-worker/daemon.json"), "utf8")) as { node?: object };
    expect(discovery.node).toMatchObject({ name: "anna" });
    daemon.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  }, 60_000);

  it.skipIf(!hasSystemd)("[docs.cluster-files] systemd accepts the unit", () => {
    using runtime = temporaryFolder();
    const checked = spawnSync("systemd-analyze", ["verify", "--user", join(FOLDER, "agent-worker.service")], {
      env: { PATH: process.env["PATH"], HOME: runtime.path, XDG_RUNTIME_DIR: runtime.path },
      encoding: "utf8",
    });
    expect(checked.stderr).toBe("");
    expect(checked.status).toBe(0);
  });

  it("[docs.cluster-files] the server of compose.yaml needs a password, and keeps its data in a volume", () => {
    const text = readFileSync(join(FOLDER, "compose.yaml"), "utf8");
    const { services, volumes } = parse(text) as {
      readonly services: { readonly postgres: Readonly<Record<string, unknown>> };
      readonly volumes: object;
    };
    expect(services.postgres).toMatchObject({
      image: expect.stringMatching(/^postgres:\d+$/),
      environment: { POSTGRES_PASSWORD: "${PASSWORD:?set PASSWORD}" },
      volumes: ["data:/var/lib/postgresql"],
    });
    expect(Object.keys(volumes)).toEqual(["data"]);
  });
});
