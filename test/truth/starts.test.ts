import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import { startInstalled } from "../support/daemon/running-command.ts";
import { eventually } from "../support/team/running-project.ts";

const SLOW = `agents: { alice: { backend: mock, prompt: { system: Hi } } }
setup:
  - shell: 'echo $$ >> began.txt; n=0; while [ ! -e go-on ] && [ $n -lt 200 ]; do sleep 0.05; n=$((n+1)); done; echo "$AW_WORKFLOW_TAG" >> ended.txt'
kickoff: "@alice work on \${{ workflow.tag }}"
`;

let daemon: CommandedDaemon;
beforeAll(async () => {
  daemon = await startCommandedDaemon({ files: { ".workflows/slow.yaml": SLOW } });
});
afterAll(() => daemon[Symbol.asyncDispose]());

const linesOf = (file: string): string[] => {
  const path = join(daemon.project, file);
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
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
