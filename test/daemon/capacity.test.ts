import { expect, it } from "vitest";
import { startCommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import { value } from "../support/result.ts";
import { agentFile } from "../support/team/team.ts";
import { eventually } from "../support/team/running-project.ts";

const SCRIPT = "- repeat: true\n  steps:\n    - delay: 50ms\n    - say: done\n";

it("[node.capacity] a daemon executes no more runs at once than its capacity, and all in the end", async () => {
  const names = ["ada", "ben", "cyd"];
  await using daemon = await startCommandedDaemon({
    env: { AGENT_WORKER_CAPACITY: "1" },
    files: {
      ...Object.assign({}, ...names.map((name) => agentFile(name, "model: scripts/slow.yaml\n"))),
      "scripts/slow.yaml": SCRIPT,
    },
  });
  await Promise.all(names.map((name) => daemon.client.call("send-message", { to: name, message: "work" })));
  const runs = async () => value(await daemon.client.call("list-runs", {})).runs;
  await eventually("all have answered", async () => {
    const ended = (await runs()).filter(({ state }) => state === "ended");
    return ended.length === names.length;
  });
  const times = (await runs()).toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
  const overlaps = times.filter((run, index) => {
    const before = times[index - 1]?.endedAt;
    return before != null && Date.parse(run.startedAt) < Date.parse(before);
  });
  expect(overlaps).toEqual([]);
});
