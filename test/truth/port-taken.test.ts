import { once } from "node:events";
import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { commandFolder } from "../support/daemon/installed-command.ts";
import { TEAM } from "../support/team/team.ts";

/** Listens on the port that nobody has to choose, unless another program of this machine does so already. */
async function takeDefaultPort(): Promise<Disposable> {
  const server = createServer();
  server.listen({ port: 5099, host: "127.0.0.1", exclusive: true });
  await once(server, "listening").catch(() => {});
  return { [Symbol.dispose]: () => void server.close() };
}

describe("a machine where another program has the default port", () => {
  it(
    "a first command works all the same, and says where the daemon is [daemon.port]",
    { timeout: 60_000 },
    async () => {
      using folder = commandFolder(TEAM);
      using _taken = await takeDefaultPort();
      try {
        const listed = await folder.run(["doctor"]);
        expect(listed).toMatchObject({ exit: 0, err: "" });
        expect(listed.out).toContain("127.0.0.1:5099 is taken by another program; the daemon will use a free one");
        expect(await folder.run(["ls"])).toMatchObject({ exit: 0, err: "" });
        const { out } = await folder.run(["daemon", "status", "--json"]);
        expect(JSON.parse(out)).toMatchObject({ url: expect.not.stringMatching(/:5099$/) });
      } finally {
        await folder.run(["daemon", "stop"]);
      }
    },
  );

  it("a port that was chosen is used or refused [daemon.port]", { timeout: 60_000 }, async () => {
    using folder = commandFolder(TEAM);
    using _taken = await takeDefaultPort();
    const refused = await folder.run(["ls"], { env: { AGENT_WORKER_PORT: "5099" } });
    expect(refused.exit).not.toBe(0);
    expect(refused.err).toContain("Port 5099 on 127.0.0.1 is taken by another program.");
  });
});
