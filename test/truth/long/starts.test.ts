import { describe, expect, it } from "vitest";
import { startCommandedDaemon } from "../../support/daemon/commanded-daemon.ts";
import { startInstalled } from "../../support/daemon/running-command.ts";

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
