import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import { runInstalled } from "../support/daemon/installed-command.ts";
import { startFakeModelServer, type FakeModelServer } from "../support/engine/fake-model-server/server.ts";
import { agentFile } from "../support/team/team.ts";

let model: FakeModelServer;
let daemon: CommandedDaemon;

beforeAll(async () => {
  model = await startFakeModelServer((request) =>
    JSON.stringify(request.messages).includes("tool_result")
      ? { text: "I know it now." }
      : { toolCalls: [{ name: "document_write", args: { content: "x" } }] },
  );
  const started = await startCommandedDaemon({
    files: {
      ...agentFile("alice"),
      ...agentFile("bob"),
      ".agents/broken.yaml": "backend: mock\nprompt: { system: Hi }\nmodle: x\nmax_steps: none\n",
      ".agents/old.yaml": `model: fake-model\nprovider: { name: anthropic, base_url: "${model.url}/v1", api_key: $FAKE_KEY }\nprompt: { system: Old }\n`,
      ".workflows/deploy.yaml": "agents: { alice: alice }\n",
      ".workflows/code-review.yaml":
        "agents:\n  coder: { backend: mock, prompt: { system: Hi } }\n  reviewer: { backend: mock, prompt: { system: Hi } }\n",
      ".workflows/wrong.yaml": 'agents: { alice: alice }\nkickoff: "@alcie begin"\n',
      "moniro.yml":
        "workflows: { ship: .workflows/deploy.yaml, code-review: .workflows/code-review.yaml, wrong: .workflows/wrong.yaml }\n",
    },
    env: { FAKE_KEY: "sk-test-0123456789abcdef", AGENT_WORKER_TRUST: "0" },
  });
  // The daemon trusts nothing by itself, as it usually is; the commands bring the consent.
  const env = { AGENT_WORKER_TRUST: "1" };
  daemon = {
    ...started,
    env: { ...started.env, ...env },
    run: (args) => started.run(args, { env }),
    json: (args) => started.json(args, { env }),
  };
  await Promise.all([daemon.run(["start", "ship"]), daemon.run(["start", "code-review", "--tag", "pr-123"])]);
});
afterAll(async () => {
  await daemon[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

/** What the command says on standard error when it is refused. */
async function refused(...args: readonly string[]): Promise<string> {
  return endedWith(3, args);
}

async function endedWith(code: number, args: readonly string[]): Promise<string> {
  const { exit, err } = await daemon.run(args);
  expect(exit, `${args.join(" ")}\n${err}`).toBe(code);
  return err;
}

describe("a broken definition", () => {
  it("[hints.broken] is shown by ls and status, and named wherever its agent or workflow is asked for", async () => {
    const [ls, status, sent, waited, ran] = await Promise.all([
      daemon.run(["ls"]),
      daemon.run(["status"]),
      daemon.run(["send", "broken", "hi"]),
      endedWith(2, ["send", "broken", "hi", "--wait"]),
      endedWith(2, ["run", "wrong"]),
    ]);
    expect(ls.err).toContain(".agents/broken.yaml:4:");
    expect(status.out).toContain("Not used: .agents/broken.yaml:3:");
    expect(status.out).toContain("agent-worker check");
    // The message waits until the file is mended; whoever waits for the answer is refused.
    expect(sent.exit).toBe(0);
    for (const said of [sent.out, waited]) {
      expect(said).toContain(".agents/broken.yaml:3:");
      expect(said).toContain("See: agent-worker check .agents/broken.yaml");
      expect(said).not.toContain("agent create");
    }
    expect(ran).toContain(".workflows/wrong.yaml:2: The kickoff mentions @alcie");
  });
});

describe("a hint", () => {
  it("[hints.work] names no command that would fail", async () => {
    const [unknown, tag, file, inline, nobody, noFile] = await Promise.all([
      refused("send", "alice@nosuch", "hi"),
      refused("send", "--to", "coder@pr-123", "hi"),
      refused("send", "bob@ship", "hi"),
      refused("stop", "reviewer"),
      refused("stop", "nobody@ship"),
      refused("send", "@code-review", "hi"),
    ]);
    expect(unknown).not.toContain("agent-worker start");
    expect(unknown).toContain("Known workflows: code-review, ship");
    expect(tag).toContain("coder@code-review:pr-123");
    expect(file).toContain("Add bob to .workflows/deploy.yaml first.");
    expect(inline).toContain("reviewer@code-review:pr-123");
    expect(nobody).not.toContain(":main");
    expect(noFile).toContain("Running: @code-review:pr-123");
  });

  it("[hints.peek] of peek says that there is no such agent; --to is another way to name it", async () => {
    const [none, to, twice] = await Promise.all([
      refused("peek", "nosuch"),
      daemon.run(["peek", "--to", "alice"]),
      daemon.run(["peek", "alice", "--to", "bob"]),
    ]);
    expect(none).toContain('There is no agent called "nosuch".');
    expect(to).toMatchObject({ exit: 0, err: "Nothing was said in alice yet.\n" });
    expect(twice.exit).toBe(2);
  });

  it("[check.file-names] of create and new refuses a name that no file can have", async () => {
    const made = await Promise.all([
      daemon.run(["agent", "create", "con", "-b", "mock"]),
      daemon.run(["new", "nul", "-b", "mock"]),
    ]);
    for (const { exit, err } of made) expect({ exit, err }).toEqual({ exit: 2, err: expect.stringContaining("file") });
    expect(existsSync(join(daemon.project, ".agents/con.yaml"))).toBe(false);
  });

  it("[hints.old-tools] of a tool of an earlier version names the new one", async () => {
    const { out } = await daemon.run(["send", "old", "write it down", "--wait"]);
    expect(out).toContain("I know it now.");
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain("use team_doc_write");
  });
});

describe("a schedule", () => {
  it("[schedule.rests] of a stopped workspace says that it rests", async () => {
    const set = await daemon.run(["schedule", "reviewer@code-review:old", "set", "5m"]);
    expect(set.out).toContain("reviewer@code-review:old: 5m, wakes reviewer, rests: @code-review:old is not running.");
    const { schedules } = (await daemon.json(["schedule"])) as { schedules: readonly unknown[] };
    expect(schedules).toMatchObject([{ target: "reviewer@code-review:old", state: "resting", nextAt: null }]);
  });
});

describe("a project", () => {
  it("[project.upwards] is found from a subfolder, keeps its data there, and git ignores it", async () => {
    mkdirSync(join(daemon.project, "src/deep"), { recursive: true });
    const cwd = join(daemon.project, "src/deep");
    const { out } = await runInstalled(["ls", "--json"], { cwd, env: daemon.env });
    expect(out).toContain('"alice"');
    expect(existsSync(join(cwd, ".workspace"))).toBe(false);
    expect(readFileSync(join(daemon.project, ".workspace/.gitignore"), "utf8")).toBe("*\n");
  });

  it("[project.no-trace] that does not exist is not made by ls; a file above is run where it is", async () => {
    const empty = join(daemon.project, "../empty/sub");
    mkdirSync(empty, { recursive: true });
    const options = { cwd: empty, env: daemon.env };
    expect(await runInstalled(["ls"], options)).toMatchObject({ exit: 0 });
    expect(existsSync(join(empty, ".workspace"))).toBe(false);
    daemon.write("../empty/env.yaml", "agents: { a: { backend: mock, prompt: { system: Hi } } }\nkickoff: '@a hi'\n");
    expect(await runInstalled(["run", "../env.yaml"], options)).toMatchObject({ exit: 0 });
    expect(existsSync(join(empty, ".workspace"))).toBe(false);
    expect(existsSync(join(empty, "../.workspace"))).toBe(true);
  });

  it("[project.one-file] with two project files is refused, and both are named", async () => {
    daemon.write("../two/moniro.yaml", "{}\n");
    daemon.write("../two/moniro.yml", "{}\n");
    const { exit, err } = await runInstalled(["check"], { cwd: join(daemon.project, "../two"), env: daemon.env });
    expect(exit).toBe(2);
    expect(err).toContain("The project has both moniro.yaml and moniro.yml.");
  });
});
