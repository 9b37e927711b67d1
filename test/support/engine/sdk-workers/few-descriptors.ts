import { closeSync, openSync } from "node:fs";
import { tmpdir } from "node:os";
import { createSdkEngine } from "../../../../src/engines/sdk/sdk-engine.ts";
import { systemClock } from "../../../../src/kernel/clock.ts";
import { silentLog } from "../../../../src/testing/silent-log.ts";
import { systemRandom } from "../../../../src/kernel/random.ts";

/** Opens a session with no file descriptor left, and closes some only after the first refusal. */
const held: number[] = [];
let refused = 0;
const giveBack = (): void => {
  refused += 1;
  if (refused === 2) for (const descriptor of held.splice(0)) closeSync(descriptor);
};

const engine = createSdkEngine({
  clock: systemClock,
  random: systemRandom,
  log: { ...silentLog, warn: giveBack },
  poolSize: 0,
  env: { PATH: process.env.PATH, OPENAI_API_KEY: "sk-test-0123456789" },
});
try {
  for (;;) held.push(openSync("/dev/null", "r"));
} catch {
  // None left.
}
// The engine's own waits keep nothing alive.
const alive = setInterval(() => {}, 1_000);
const session = await engine.open(
  {
    run: "run_1",
    agent: { name: "alice", prompt: { system: "" }, model: "openai/gpt-test" },
    system: "",
    transcript: null,
    previous: async () => null,
    endpoint: null,
    approvals: { ask: () => Promise.reject(new Error("none")), answer: () => Promise.reject(new Error("none")) },
    tools: { list: () => [], call: () => Promise.reject(new Error("no tools")) },
    cwd: tmpdir(),
    personalFolders: { own: null, others: [] },
  },
  new AbortController().signal,
);
await session[Symbol.asyncDispose]();
await engine[Symbol.asyncDispose]();
clearInterval(alive);
process.stdout.write(`opened after ${refused} refusals`);
