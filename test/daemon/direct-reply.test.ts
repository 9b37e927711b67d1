import { expect, it } from "vitest";
import { createClient } from "../../src/client/create-client.ts";
import { openDaemon } from "../../src/daemon/daemon.ts";
import { scriptedEngine } from "../../src/testing/scripted-engine.ts";
import { gate } from "../support/gate.ts";
import { value } from "../support/result.ts";
import { plantedProject } from "../support/team/planted-project.ts";
import { eventually } from "../support/team/running-project.ts";

it("a request that waits has the reply to its own message, from the loop that does everything else [run.direct-reply]", async () => {
  using folder = plantedProject({ ".agents/alice.yaml": "name: alice\nbackend: mock\nprompt: { system: Answer. }\n" });
  const busy = gate();
  const engine = scriptedEngine(async ({ inbox }) => {
    await busy.passed;
    return `about ${inbox.match(/question \w+/g)?.join(" and ")}`;
  });
  await using daemon = await openDaemon({
    trustsAll: true,
    home: `${folder.root}/home`,
    projectDir: folder.root,
    env: {},
    engines: new Map([["mock", engine]]),
  });
  using client = await createClient({ url: daemon.url, token: daemon.token });
  value(await client.call("send-message", { to: "alice", message: "question zero" }));
  await eventually("alice is busy with somebody else's", () => engine.steps.length === 1);
  const asked = client.serve({ agent: "alice", message: "question one" });
  await eventually("it waits in her inbox", async () => {
    const { deliveries } = value(await client.call("list-deliveries", {}));
    return deliveries.length === 2;
  });
  busy.open();
  expect(value(await asked)).toMatchObject({ success: true, content: "about question one", participants: ["alice"] });

  const { messages } = value(await client.call("peek-channel", { target: "alice" }));
  expect(messages.map(({ from, content }) => `${from}: ${content}`)).toEqual([
    "user: question zero",
    "user: question one",
    "alice: about question zero",
    "alice: about question one",
  ]);
  expect(engine.mostAtOnce).toBe(1);
  expect(value(await client.call("list-deliveries", {})).deliveries).toEqual([]);
});
