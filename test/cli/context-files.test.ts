import { expect, it } from "vitest";
import { startCommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import { agentFile } from "../support/team/team.ts";

// On a server, contexts are in the store.
it.skipIf(process.env["AGENT_WORKER_TEST_SERVER"] !== undefined)(
  "[context.transfer] beside a daemon, in a project with contexts in files, says at once that there is nothing to move",
  async () => {
    await using daemon = await startCommandedDaemon({ files: agentFile("ann") });
    expect((await daemon.run(["send", "ann", "hello", "--wait"])).exit).toBe(0);
    const exported = await daemon.run(["context", "export"]);
    expect(exported).toMatchObject({ exit: 3, out: "" });
    expect(exported.err).toMatch(/^Error: There is nothing to do: the personal contexts are files already/);
    const imported = await daemon.run(["context", "import"]);
    expect(imported).toMatchObject({ exit: 3, out: "" });
    expect(imported.err).toMatch(/^Error: There is nothing to do: the project keeps personal contexts in files\./);
    expect(exported.err + imported.err).not.toContain("stop it");
  },
);
