import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import { startTestDaemon } from "../../support/daemon/daemon.ts";
import { definedAgent, says } from "../../support/team/defined-agent.ts";

const WAIT = { timeout: 60_000, interval: 50 };
const SCRIPTS = { "scripts/one.yaml": says("one"), "scripts/two.yaml": says("two") };

async function saidIn(client: Client, target: string): Promise<readonly string[]> {
  const page = await client.call("peek-channel", { target, limit: 100 });
  return page.ok ? page.value.messages.map(({ from, content }) => `${from}: ${content}`) : [];
}

it("[definitions.members] what changed while no daemon ran counts: members, definitions and schedules", async () => {
  await using first = await startTestDaemon({
    files: {
      ...SCRIPTS,
      ".agents/pat.yaml": definedAgent("pat", "one", "schedule: { wakeup: 1h }\n"),
      ".workflows/crew.yaml": "agents:\n  pat: { ref: pat }\n  old: { backend: mock, prompt: { system: x } }\n",
    },
  });
  expect(await first.client.serve({ workflow: "crew", until: "started" })).toMatchObject({ ok: true });
  await first.stop();
  first.write(".agents/pat.yaml", definedAgent("pat", "two"));
  first.write(
    ".workflows/crew.yaml",
    "agents:\n  pat: { ref: pat }\n  eve: { backend: mock, model: scripts/two.yaml, prompt: { system: x } }\n",
  );
  await using second = await first.restart();
  const { client } = second;
  const members = await client.call("list-members", { target: "@crew" });
  expect(members.ok ? members.value.members.map(({ agent }) => agent) : []).toEqual(["pat", "eve"]);
  const schedules = await client.call("list-schedules", {});
  expect(schedules).toMatchObject({ ok: true, value: { schedules: [] } });
  await client.call("send-message", { to: "@crew", message: "@pat @eve hello" });
  await vi.waitUntil(async () => {
    const said = await saidIn(client, "@crew");
    return said.includes("pat: two") && said.includes("eve: two");
  }, WAIT);
});

it("[definitions.path] a workspace that was started from a path keeps it over a restart, and follows the file", async () => {
  const inline = (version: string): string =>
    `name: plain\nagents:\n  bot: { backend: mock, model: scripts/${version}.yaml, prompt: { system: x } }\n`;
  await using first = await startTestDaemon({ files: { ...SCRIPTS, "elsewhere/plain.yaml": inline("one") } });
  const workflow = join(first.project, "elsewhere/plain.yaml");
  expect(await first.client.serve({ workflow, until: "started" })).toMatchObject({ ok: true });
  await first.stop();
  await using second = await first.restart();
  const { client } = second;
  await client.call("send-message", { to: "bot@plain", message: "hello" });
  await vi.waitUntil(async () => (await saidIn(client, "@plain")).includes("bot: one"), WAIT);
  second.write("elsewhere/plain.yaml", inline("two"));
  await client.call("send-message", { to: "bot@plain", message: "hello" });
  await vi.waitUntil(async () => (await saidIn(client, "@plain")).includes("bot: two"), WAIT);
  rmSync(workflow);
  await client.call("send-message", { to: "bot@plain", message: "hello" });
  await vi.waitUntil(async () => {
    const dead = await client.call("list-dead-letters", {});
    return dead.ok && dead.value.deliveries.some(({ reason }) => reason?.includes("removed") === true);
  }, WAIT);
});

it("[definitions.broken] with a broken project file nothing begins, and it goes on when that is mended", async () => {
  await using daemon = await startTestDaemon({
    files: {
      ...SCRIPTS,
      ".agents/pat.yaml": definedAgent("pat", "one"),
      "moniro.yaml": "defaults: { max_steps: 9 }\n",
    },
  });
  const { client } = daemon;
  daemon.write("moniro.yaml", "defaults: {\n");
  const sent = await client.call("send-message", { to: "pat", message: "hello" });
  expect(sent.ok ? sent.value.warnings.join() : "").toContain("moniro.yaml");
  await vi.waitUntil(async () => (await saidIn(client, "pat")).some((line) => line.includes("pat waits")), WAIT);
  expect(await saidIn(client, "pat")).not.toContain("pat: one");
  daemon.write("moniro.yaml", "defaults: { max_steps: 9 }\n");
  await vi.waitUntil(async () => (await saidIn(client, "pat")).includes("pat: one"), WAIT);
});
