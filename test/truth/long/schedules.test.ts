import { expect, it } from "vitest";
import { startCommandedDaemon } from "../../support/daemon/commanded-daemon.ts";
import { agentFile } from "../../support/team/team.ts";

const INTERVAL_MS = 5_000;
const TIMES = 6;

it("[schedule.same-length] an agent that finds nothing to do is woken at every interval", async () => {
  await using daemon = await startCommandedDaemon({
    files: { ...agentFile("alice", "model: scripts/alice.yaml\n"), "scripts/alice.yaml": "call: no_action\n" },
  });
  for (let n = 0; n < 5; n += 1) await daemon.run(["send", "alice", "nothing", "--wait"]);
  await daemon.run(["schedule", "alice", "set", "5s", "--prompt", "tick"]);
  const ticks = async (): Promise<readonly number[]> => {
    const { messages } = (await daemon.json(["peek", "alice", "--find", "tick"])) as {
      messages: readonly { readonly at: string }[];
    };
    return messages.map(({ at }) => Date.parse(at));
  };
  await expect.poll(async () => (await ticks()).length, { timeout: 120_000, interval: 1_000 }).toBe(TIMES);
  const times = await ticks();
  const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
  for (const gap of gaps) {
    expect(gap).toBeGreaterThanOrEqual(INTERVAL_MS);
    expect(gap).toBeLessThan(2 * INTERVAL_MS);
  }
});
