import { describe, expect, it } from "vitest";
import { startCommandedDaemon } from "../../support/daemon/commanded-daemon.ts";
import { runInstalled } from "../../support/daemon/installed-command.ts";
import { startInstalled } from "../../support/daemon/running-command.ts";
import { startFakeModelServer } from "../../support/engine/fake-model-server/server.ts";

const SLOW = `agents: { alice: { backend: mock, prompt: { system: Hi } } }
setup:
  - shell: 'echo begun; sleep 10'
kickoff: "@alice work on \${{ workflow.tag }}"
`;

describe("a start whose daemon ends during its setup", () => {
  it("says that nothing was begun when the daemon is killed or stopped [starts.daemon-gone]", async () => {
    for (const signal of ["SIGKILL", "SIGTERM"] as const) {
      await using other = await startCommandedDaemon({ files: { ".workflows/slow.yaml": SLOW } });
      await using waiting = startInstalled(["run", "slow"], { cwd: other.project, env: other.env });
      await waiting.line(/begun/);
      await other.stop(signal);
      const { exit, err } = await waiting.ended;
      expect({ signal, exit, err }).toMatchObject({
        exit: 4,
        err: expect.stringMatching(/during the setup of the workflow; nothing was begun[^]*start it again/i),
      });
      expect(err).not.toContain("goes on");
    }
  });
});

describe("an agent made for now, when its daemon ends", () => {
  it("is gone with what it was told, also for one with the same automatic name [ephemeral.forgotten]", async () => {
    const secret = "the word is marzipan";
    await using model = await startFakeModelServer(() => ({ text: "Fine." }));
    const env = { ANTHROPIC_API_KEY: "sk-test-0123456789abcdef", ANTHROPIC_BASE_URL: `${model.url}/v1` };
    const make = ["new", "-m", "anthropic/fake", "-s", "You are a bot."];
    await using first = await startCommandedDaemon({ env });
    expect(await first.json(make)).toMatchObject({ name: "agent-1" });
    expect(await first.run(["send", "agent-1", secret, "--wait"])).toMatchObject({ exit: 0 });
    await first.stop();
    await using second = await first.restart();
    const run = (args: readonly string[]) => runInstalled(args, { cwd: second.project, env: second.env });
    expect(await run(["peek", "agent-1"])).toMatchObject({ exit: 3 });
    expect((await run(make)).out).toContain("agent-1");
    expect(await run(["send", "agent-1", "who are you?", "--wait"])).toMatchObject({ exit: 0 });
    expect(model.requests).toHaveLength(2);
    expect(JSON.stringify(model.requests[1])).not.toContain(secret);
  });
});
