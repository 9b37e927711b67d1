import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import { runInstalled } from "../support/daemon/installed-command.ts";
import { startInstalled } from "../support/daemon/running-command.ts";
import { eventually } from "../support/team/running-project.ts";

const SLOW = `agents: { alice: { backend: mock, prompt: { system: Hi } } }
setup:
  - shell: 'echo $$ >> began.txt; n=0; while [ ! -e go-on ] && [ $n -lt 200 ]; do sleep 0.05; n=$((n+1)); done; echo "$AW_WORKFLOW_TAG" >> ended.txt'
kickoff: "@alice work on \${{ workflow.tag }}"
`;

const ALICE = "agents: { alice: { backend: mock, prompt: { system: Hi } } }\n";
const GREET = `${ALICE}kickoff: "@alice greet \${{ env.MYVAR }}"\n`;
const SHOW = `${ALICE}env: [NAMED, UNSET]
setup:
  - shell: 'echo "$GH_TOKEN $SSH_AUTH_SOCK $GIT_AUTHOR_NAME $LC_TIME $NAMED $OTHER \${UNSET-unset}" > shown.txt; echo "token $GH_TOKEN"'
    as: said
kickoff: "@alice \${{ said }}"
`;
const FIXED = `${ALICE}env: { MODE: quick, COPY: $NAMED }
setup: [{ shell: 'echo "$MODE $COPY" > fixed.txt' }]
kickoff: "@alice \${{ env.MODE }}"
`;
const OWN = `${ALICE}setup: [{ shell: 'echo "$FROM_FILE $BOTH $NODE_OPTIONS" > own.txt' }]
kickoff: "@alice \${{ env.FROM_FILE }} \${{ env.BOTH }}"
`;

let daemon: CommandedDaemon;
beforeAll(async () => {
  daemon = await startCommandedDaemon({
    files: {
      ".workflows/slow.yaml": SLOW,
      ".workflows/greet.yaml": GREET,
      ".workflows/show.yaml": SHOW,
      ".workflows/fixed.yaml": FIXED,
      ".workflows/own.yaml": OWN,
    },
    env: { MYVAR: "old", NAMED: "old", OTHER: "old", GH_TOKEN: "tk-3dL8nR5yP0sU6cJ2" },
  });
});
afterAll(() => daemon[Symbol.asyncDispose]());

/** The whole lines of a file. A file that exists and is not written yet has none. */
const linesOf = (file: string): string[] => {
  const path = join(daemon.project, file);
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
};

describe("a start that is stopped during its setup", () => {
  it("ends at once with its processes, and nothing of it acts in the workspace that is started next [starts.stopped]", async () => {
    await using waiting = startInstalled(["run", "slow", "--tag", "gg"], { cwd: daemon.project, env: daemon.env });
    await eventually("the setup runs", () => linesOf("began.txt").length === 1);
    const [setup] = linesOf("began.txt");
    expect(await daemon.run(["stop", "@slow:gg"])).toMatchObject({ exit: 0 });
    const ended = await waiting.ended;
    expect(ended).toMatchObject({ exit: 1 });
    expect(ended.err).toContain("@slow:gg was stopped during its setup");
    await eventually("the setup is gone", () => !existsSync(`/proc/${setup}`));

    await using next = startInstalled(["start", "slow", "--tag", "gg"], { cwd: daemon.project, env: daemon.env });
    await eventually("the second setup runs", () => linesOf("began.txt").length === 2);
    daemon.write("go-on", "");
    expect(await next.ended).toMatchObject({ exit: 0 });
    expect(linesOf("ended.txt")).toEqual(["gg"]);
    const channel = (await daemon.json(["peek", "@slow:gg"])) as { messages: { kind: string }[] };
    expect(channel.messages.filter(({ kind }) => kind === "kickoff")).toHaveLength(1);
    expect(await daemon.json(["ls"])).toMatchObject({
      workspaces: expect.arrayContaining([expect.objectContaining({ name: "slow:gg", state: "open" })]),
    });
  });
});

describe("the environment of a start", () => {
  /** A shell in which only these variables are set. */
  const inShell = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const { HOME = "", AGENT_WORKER_HOME = "" } = daemon.env;
    return runInstalled(args, { cwd: daemon.project, env: { HOME, AGENT_WORKER_HOME, ...env } });
  };
  const kickoffOf = async (target: string): Promise<string | undefined> => {
    const { messages } = (await daemon.json(["peek", target])) as { messages: { kind: string; content: string }[] };
    return messages.findLast(({ kind }) => kind === "kickoff")?.content;
  };

  it("is that of the person who typed it, not that of the daemon [starts.environment]", async () => {
    expect(await inShell(["start", "greet"], { MYVAR: "new" })).toMatchObject({ exit: 0 });
    expect(await kickoffOf("@greet")).toBe("@alice greet new");
    const unset = await inShell(["start", "greet", "--tag", "none"]);
    expect(unset).toMatchObject({ exit: 2, err: expect.stringContaining("MYVAR is not set") });
  });

  it("gives setup the caller's logins, languages and the names of env, keeps none, and hides what is secret [starts.setup-variables] [starts.env-key]", async () => {
    const GH_TOKEN = "tk-9fK2mQ7xW4vT1zB8";
    const env = {
      GH_TOKEN,
      SSH_AUTH_SOCK: "/agent",
      GIT_AUTHOR_NAME: "Ann",
      LC_TIME: "C",
      NAMED: "named",
      OTHER: "no",
    };
    expect(await inShell(["start", "show"], env)).toMatchObject({ exit: 0 });
    expect(linesOf("shown.txt")).toEqual([`${GH_TOKEN} /agent Ann C named  unset`]);
    expect(await kickoffOf("@show")).toBe("@alice token [redacted]");
    const seen = await inShell(["run", "show", "--tag", "seen", "--verbose"], env);
    expect(seen.out).toContain("token [redacted]");
    expect(seen.out + seen.err).not.toContain(GH_TOKEN);
    rmSync(join(daemon.project, "shown.txt"));
    for (const folder of [daemon.project, daemon.home]) expect(filesWith(folder, GH_TOKEN)).toEqual([]);
    expect(await inShell(["start", "fixed"], { NAMED: "now" })).toMatchObject({ exit: 0 });
    expect(linesOf("fixed.txt")).toEqual(["quick now"]);
    expect(await kickoffOf("@fixed")).toBe("@alice quick");
  });

  it("has what the project's .env says and nobody set; what steers a process, and a line that is wrong, is a warning [starts.env-file]", async () => {
    daemon.write(".env", "# ours\nFROM_FILE='a b'\nBOTH=file\nNODE_OPTIONS=--inspect\nnot a line\n");
    expect(await inShell(["start", "own"], { BOTH: "shell" })).toMatchObject({ exit: 0 });
    expect(linesOf("own.txt")).toEqual(["a b shell "]);
    expect(await kickoffOf("@own")).toBe("@alice a b shell");
    const checked = await inShell(["check"]);
    expect(checked.err).toMatch(/\.env:4:1: warning: "NODE_OPTIONS" cannot be set by the \.env/);
    expect(checked.err).toMatch(/\.env:5:1: warning: This line is not NAME=value/);
    expect(checked.err).not.toContain("not a line");
  });
});

/** Files below the folder that contain the text. */
function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => readFileSync(path).includes(text));
}
