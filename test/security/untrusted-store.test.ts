import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { commandFolder } from "../support/daemon/installed-command.ts";
import { TEAM } from "../support/team/team.ts";

const UNTRUSTED = { AGENT_WORKER_TRUST: "", AGENT_WORKER_PORT: "0" };

describe("commands that open the store of a project by themselves", () => {
  it("connect to no server that a stranger's project names (F26) [trust.rests]", async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const url = `postgres://user@127.0.0.1:${port}/team`;
    using folder = commandFolder({ ...TEAM, "moniro.yaml": `store: { url: "${url}" }\n` });
    for (const args of [
      ["context", "export"],
      ["context", "import"],
      ["store", "migrate", "--to", "sqlite"],
    ]) {
      const refused = await folder.run(args, { env: UNTRUSTED });
      expect(refused, args.join(" ")).toMatchObject({ exit: 3, out: "" });
      expect(refused.err).toContain("nobody has trusted it on this machine yet");
      expect(refused.err).toContain("agent-worker trust");
    }
    expect(connections).toBe(0);
    await folder.run(["context", "export", "--trust"], { env: UNTRUSTED });
    expect(connections).toBeGreaterThan(0);
    server.close();
  });

  it("make no store where there is none [context.store]", async () => {
    using folder = commandFolder(TEAM);
    const files = await folder.run(["context", "export"]);
    expect(files).toMatchObject({ exit: 3, out: "", err: expect.stringContaining("are files already") });
    writeFileSync(folder.in("moniro.yaml"), "context: { provider: store }\n");
    const refused = await folder.run(["context", "export"]);
    expect(refused).toMatchObject({ exit: 3, out: "" });
    expect(refused.err).toContain("The project has no store yet.");
    expect(existsSync(folder.in(".workspace"))).toBe(false);
  });
});
