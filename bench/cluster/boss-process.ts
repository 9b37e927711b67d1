import { QUEUE, startBoss } from "./pg-boss.ts";

/** A process that does turns as plain jobs of pg-boss: URL, how many at once, how long each takes, how it is set. */
const [url = "", capacity = "2", stepMs = "50", settings = "shortest"] = process.argv.slice(2);
const boss = await startBoss(url, settings === "idle" ? "idle" : "shortest");
/**
 * A worker that takes one job at a time waits for its poll after each, at least half a second. One that takes two goes on at
 * once while it gets two.
 */
const options = {
  batchSize: 2,
  burstWhenBatchFull: true,
  localConcurrency: Math.max(1, Number(capacity) / 2),
  // Where nothing is to be measured but rest, its own intervals count.
  ...(settings === "idle" ? {} : { pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 0.5 }),
};
await boss.work(QUEUE, options, async (jobs) => {
  for (const { data } of jobs) console.log(`begun ${Date.now()} ${JSON.stringify(data)}`);
  await new Promise((resolve) => setTimeout(resolve, Number(stepMs)));
  return { answer: "answer" };
});
console.log("ready");
