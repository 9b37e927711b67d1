import { Agent, request } from "node:http";
import { describe, expect, it } from "vitest";
import { startCommandedDaemon } from "../../support/daemon/commanded-daemon.ts";
import { startFakeModelServer } from "../../support/engine/fake-model-server/server.ts";
import { agentOn, MODEL_ENV } from "../../support/security/scripted-model.ts";
import { eventually } from "../../support/team/running-project.ts";

const SENDS = 200;

describe("a daemon that runs out of descriptors", () => {
  it("before its first model call, with 200 sends at once, answers every message and buries none [once.scarcity]", async () => {
    await using model = await startFakeModelServer(() => ({ text: "Done." }));
    const names = Array.from({ length: 20 }, (_, index) => `agent${index}`);
    await using daemon = await startCommandedDaemon({
      env: { ...MODEL_ENV },
      openFiles: 64,
      files: Object.fromEntries(names.map((name) => [`.agents/${name}.yaml`, agentOn(model, name)])),
    });
    const agent = new Agent({ keepAlive: false });
    const send = (index: number): Promise<boolean> =>
      new Promise((resolve) => {
        const body = JSON.stringify({ to: names[index % names.length], message: `hello ${index}` });
        const headers = {
          authorization: `Bearer ${daemon.token}`,
          "content-type": "application/json",
          "content-length": Buffer.byteLength(body),
        };
        const sent = request(`${daemon.url}/send`, { method: "POST", agent, headers }, (response) => {
          response.resume().on("end", () => resolve((response.statusCode ?? 500) < 300));
        });
        sent.on("error", () => resolve(false)).end(body);
      });
    const accepted = await Promise.all(Array.from({ length: SENDS }, (_, index) => send(index)));
    expect(accepted).toContain(true);
    await eventually(
      "everything is answered",
      async () => {
        const { projects } = await daemon.client.health();
        return projects.every(({ pending, running }) => pending === 0 && running === 0);
      },
      90_000,
    );
    expect(await daemon.json(["dead", "list"])).toMatchObject({ deliveries: [] });
  });
});
