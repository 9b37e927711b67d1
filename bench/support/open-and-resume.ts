import { openLiveProject } from "../../src/daemon/live-project.ts";
import { localOptions } from "../../src/daemon/local-options.ts";
import { holdProcess } from "../../src/kernel/clock.ts";
import type { Engine } from "../../src/ports/engine.ts";

/**
 * A child of `recovery`: opens the project as the daemon does, says when the first run goes on from its last step, and
 * stops in good order: what it took up is put aside again. FOLDER RUNS
 */
using _alive = holdProcess();
const [folder = "", runs = "0"] = process.argv.slice(2);
const first = Promise.withResolvers<number>();
const engine: Engine = {
  name: "mock",
  async open() {
    return {
      async *step({ number }, signal) {
        first.resolve(number);
        await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
        yield* [];
      },
      [Symbol.asyncDispose]: async () => {},
    };
  },
  [Symbol.asyncDispose]: async () => {},
};
const project = await openLiveProject({ ...localOptions(folder), engines: new Map([["mock", engine]]) });
const step = await first.promise;
process.stdout.write("first run\n");
const unfinished = await project.store.read((store) => store.runs.unfinished());
if (step !== 2 || unfinished.length !== Number(runs) || project.lostCommits > 0) {
  throw new Error(`not what was left behind: step ${step}, ${unfinished.length} runs, lost ${project.lostCommits}`);
}
await project[Symbol.asyncDispose]();
