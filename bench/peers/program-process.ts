import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { ProgramReply, ProgramRequest } from "./serve-program.ts";
import type { Setup } from "./setup.ts";

type WithoutId<Each> = Each extends unknown ? Omit<Each, "id"> : never;
const PATIENCE_MS = 180_000;

/** What a program says that it does not send over the network. */
const QUIET = {
  DO_NOT_TRACK: "1",
  MASTRA_TELEMETRY_DISABLED: "1",
  OPENAI_AGENTS_DISABLE_TRACING: "1",
  LANGCHAIN_TRACING_V2: "false",
  LANGSMITH_TRACING: "false",
  NODE_ENV: "production",
};
export const programEnv = (): NodeJS.ProcessEnv => ({ ...process.env, ...QUIET });

/** A program in a process of its own, started and asked by main. */
export interface ProgramProcess extends AsyncDisposable {
  /** The processes that do its work. */
  readonly roots: readonly number[];
  ask(request: WithoutId<ProgramRequest>): Promise<ProgramReply>;
  /** Ends what does the work with SIGKILL, as a crash would. */
  kill(): Promise<void>;
}

export async function startProgram(file: string, setup: Setup): Promise<ProgramProcess> {
  const child = fork(file, { env: programEnv(), stdio: ["ignore", "ignore", "pipe", "ipc"] });
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (said = `${said}${text}`.slice(-2_000)));
  const exit = once(child, "exit");
  const waiting = new Map<number, (reply: ProgramReply) => void>();
  let ended = false;
  child.on("message", (reply: ProgramReply) => {
    waiting.get(reply.id)?.(reply);
    waiting.delete(reply.id);
  });
  void exit.then(([code, signal]) => {
    ended = true;
    for (const [id, reply] of waiting) reply({ id, ms: 0, error: `the program ended with ${code ?? signal}: ${said}` });
  });
  let last = 0;
  const ask = async (request: WithoutId<ProgramRequest>): Promise<ProgramReply> => {
    if (ended) throw new Error(`the program ended: ${said}`);
    const id = (last += 1);
    const reply = await new Promise<ProgramReply>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no answer to ${request.do} in three minutes`)), PATIENCE_MS);
      waiting.set(id, (got) => {
        clearTimeout(timer);
        resolve(got);
      });
      child.send({ ...request, id });
    });
    if (reply.error !== undefined) throw new Error(reply.error);
    return reply;
  };
  const end = async (): Promise<void> => {
    if (!ended) child.kill("SIGKILL");
    await exit;
  };
  try {
    const pids = (await ask({ do: "start", setup })).value as readonly number[];
    const roots = pids.length > 0 ? pids : [pidOf(child)];
    return {
      roots,
      ask,
      async kill() {
        for (const pid of roots) process.kill(pid, "SIGKILL");
        await end();
      },
      async [Symbol.asyncDispose]() {
        if (!ended) await Promise.race([ask({ do: "stop" }).catch(() => {}), exit]);
        await end();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error("the program did not start");
  return child.pid;
}
