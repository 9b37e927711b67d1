import { openLocalProject } from "../../src/daemon/local-project.ts";

/** A child of `recovery`: opens the project and looks up everything a daemon goes on from, then says so. FOLDER RUNS */
const [folder = "", runs = "0"] = process.argv.slice(2);
await using local = await openLocalProject(folder);
const found = await local.project.store.read(async (store) => {
  const unfinished = await store.runs.unfinished();
  for (const { id } of unfinished) await store.runs.lastStep(id);
  return { runs: unfinished.length, waiting: await store.deliveries.mailboxesWithPending() };
});
if (found.runs !== Number(runs) || found.waiting.join() !== "alice" || local.project.lostCommits > 0) {
  throw new Error(`not what was left behind: ${JSON.stringify(found)}`);
}
process.stdout.write("ready\n");
