import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { startCommandedDaemon } from "../../support/daemon/commanded-daemon.ts";
import type { TestDaemon } from "../../support/daemon/daemon.ts";
import { startFakeModelServer } from "../../support/engine/fake-model-server/server.ts";
import { value } from "../../support/result.ts";
import { agentOn, MODEL_ENV } from "../../support/security/scripted-model.ts";

/** The shell of an agent on the host is a child of the daemon. */
const KILL = "kill -9 $PPID; sleep 10";
const INNOCENT = "- repeat: true\n  steps:\n    - delay: 1s\n    - say: done\n";
const SEND_EVERY_MS = 700;

describe("a run that takes the daemon down again and again", () => {
  it("is the only one that pays: the others are all answered, and nothing of theirs is dead [once.blame]", async () => {
    await using model = await startFakeModelServer(() => ({ toolCalls: [{ name: "bash", args: { command: KILL } }] }));
    const innocents = Array.from({ length: 5 }, (_, index) => `innocent${index}`);
    const mock = (name: string): string =>
      `name: ${name}\nbackend: mock\nmodel: script.yaml\nprompt: { system: You are ${name}. }\n`;
    await using first = await startCommandedDaemon({
      env: { ...MODEL_ENV },
      files: {
        ".agents/killer.yaml": agentOn(model, "killer", "permissions: { mode: host, allow: ['*'] }\n"),
        ...Object.fromEntries(innocents.map((name) => [`.agents/${name}.yaml`, mock(name)])),
        "script.yaml": INNOCENT,
      },
    });
    let daemon: TestDaemon = first;
    let deaths = 0;
    let sent = 0;
    value(await daemon.client.call("send-message", { to: "killer", message: "go" }));
    const dead = async () => value(await daemon.client.call("list-dead-letters", {})).deliveries;
    for (let over = false; !over;) {
      let alive = true;
      void daemon.ended.then(() => (alive = false));
      while (alive && !over) {
        try {
          const to = innocents[sent % innocents.length] ?? "";
          const key = `message-${sent}`;
          value(await daemon.client.call("send-message", { to, message: `hello ${sent}`, idempotencyKey: key }));
          sent += 1;
          over = (await dead()).length > 0;
        } catch {
          // The daemon has just died.
        }
        await pause(SEND_EVERY_MS);
      }
      if (over) break;
      deaths += 1;
      await daemon.ended;
      daemon = await daemon.restart({ env: { ...MODEL_ENV } });
    }
    await using last = daemon;
    expect(deaths).toBeGreaterThan(5);
    await expect
      .poll(async () => (await last.client.health()).projects, { timeout: 60_000, interval: 500 })
      .toMatchObject([{ pending: 0, running: 0 }]);
    expect((await dead()).map(({ agent }) => agent)).toEqual(["killer"]);
    for (const name of innocents) {
      const { messages } = value(await last.client.call("peek-channel", { target: name, limit: 500 }));
      // One answer may be for several messages, but the last word is never the person's.
      expect(messages.at(-1)?.from, name).toBe(name);
    }
  });
});
