import { temporaryRoot } from "../../../src/engines/process/process-reaper.ts";
import { runProcess } from "../../../src/engines/process/run-process.ts";
import { childEnvironment } from "../../../src/engines/shared/environment.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { openSession } from "../../../src/testing/engine-steps.ts";
import { recordingTools } from "../../../src/testing/recording-tools.ts";
import { plainAgent, plainEngine } from "../engine/plain-cli.ts";

/** Starts a command line and a command, each with a child of its own, says which, and waits to be killed. */
const [folder = ""] = process.argv.slice(2);
const never = new AbortController().signal;
const script = `trap '' TERM; sleep 300 & echo "{\\"text\\":\\"$$ $!\\"}"; wait`;
const engine = plainEngine(folder, script);
const session = await openSession({ engine, agent: plainAgent, cwd: folder }, recordingTools());
const events = session.step({ number: 1, prompt: "Go." }, never)[Symbol.asyncIterator]();
const { value: spoken } = await events.next();

const ended = runProcess(systemClock, { program: "true", args: [], cwd: folder, env: {}, onOutput: () => {} }, never);
await ended.catch(() => {});
void runProcess(
  systemClock,
  {
    program: "sh",
    args: ["-c", "sleep 300 & echo $$ $!; wait"],
    cwd: folder,
    env: childEnvironment(process.env, {}),
    onOutput: (text) => {
      const pids = `${spoken?.type === "text" ? spoken.text : ""} ${text.trim()}`;
      void temporaryRoot().then((root) => process.stdout.write(`running ${pids} ${root}\n`));
    },
  },
  never,
);
