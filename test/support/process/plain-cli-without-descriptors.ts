import { closeSync, openSync } from "node:fs";
import { EngineFailure } from "../../../src/ports/engine.ts";
import { failureOf, openSession, stepOf } from "../../../src/testing/engine-steps.ts";
import { recordingTools } from "../../../src/testing/recording-tools.ts";
import { plainAgent, plainEngine } from "../engine/plain-cli.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** Takes a step when no file can be opened any more, and says what kind of failure it was. */
using folder = temporaryFolder();
const engine = plainEngine(folder.path, "true");
await using session = await openSession({ engine, agent: plainAgent, cwd: folder.path }, recordingTools());
const held: number[] = [];
try {
  for (;;) held.push(openSync("/dev/null", "r"));
} catch {
  // None left.
}
const failure = await failureOf(() => stepOf(session, 1, "Go."));
for (const descriptor of held) closeSync(descriptor);
process.stdout.write(`failed ${failure instanceof EngineFailure ? failure.class : String(failure)}\n`);
