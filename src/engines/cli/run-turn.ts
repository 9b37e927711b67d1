import { classifyFailure } from "../../domain/delivery/classify.ts";
import type { Clock } from "../../kernel/clock.ts";
import { EngineFailure, type StepProgress } from "../../ports/engine.ts";
import { runProcess, type ProcessEnd, type ProcessPipes } from "../process/run-process.ts";
import { createBoundedOutput } from "../shared/bounded-output.ts";
import { createLineSplitter } from "../shared/line-splitter.ts";
import { createMessageQueue } from "../shared/message-queue.ts";
import type { PermissionBroker } from "../shared/permission-broker.ts";
import { watchSilence, type ProgramTimeouts } from "../shared/silence-watch.ts";
import type { CliDialect, CliOutcome, CliTurn } from "./cli-dialect.ts";
import { failureOfExit } from "./cli-failure.ts";
import { createTurnFolder } from "./turn-folder.ts";

export interface TurnParts {
  readonly dialect: CliDialect;
  readonly clock: Clock;
  readonly timeouts: ProgramTimeouts;
  /** Absolute path of the program. */
  readonly program: string;
  /** Added to `CliTurn.env`; the dialect does not see them. */
  readonly variables: Readonly<Record<string, string>>;
}

export interface RunningTurn {
  /** The events as they happen; returns the outcome. Ending the iteration early ends the program. */
  readonly events: AsyncGenerator<StepProgress, CliOutcome>;
  /** Resolves, never rejects, when no process and no file of the turn is left. */
  readonly gone: Promise<void>;
}

const MAX_LINE = 32 * 1024 * 1024;
const MAX_OUTPUT = 512 * 1024 * 1024;
const MAX_STDERR = 8 * 1024;
const LINES_AHEAD = 256;

type Received = { readonly line: string } | { readonly end: ProcessEnd };

/** Starts the program for one turn and reads it to its end. Throws the signal's reason, or an EngineFailure. */
export function startTurn(
  parts: TurnParts,
  turn: Omit<CliTurn, "folder">,
  decide: PermissionBroker["decide"],
  signal: AbortSignal,
): RunningTurn {
  const { dialect, clock } = parts;
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const crash = (what: string): void =>
    stop.abort(new EngineFailure(classifyFailure({ crashed: true }), `${dialect.title} ${what}.`));

  let pipes: ProcessPipes | undefined;
  let paused = false;
  const queue = createMessageQueue<Received>({
    highWater: LINES_AHEAD,
    onFull: () => {
      paused = true;
      pipes?.pause();
    },
    onDrained: () => {
      paused = false;
      pipes?.resume();
    },
  });

  const stderr = createBoundedOutput({ end: MAX_STDERR });
  const lines = createLineSplitter(MAX_LINE, (line) => queue.push({ line }));
  let written = 0;
  const take = (text: string): void => {
    written += text.length;
    if (stop.signal.aborted) return;
    if (written > MAX_OUTPUT) return crash("wrote without end");
    try {
      lines.push(Buffer.from(text, "utf8"));
    } catch {
      crash(`wrote a line of more than ${MAX_LINE / 1024 / 1024} MB`);
    }
  };

  const execute = async (): Promise<ProcessEnd> => {
    await using folder = await createTurnFolder();
    const command = dialect.command({ ...turn, folder: folder.path });
    await folder.write(command.files ?? {});
    either.throwIfAborted();
    using silence = watchSilence(clock, parts.timeouts, { isPaused: () => paused, onSilence: crash });
    const end = await runProcess(
      clock,
      {
        program: parts.program,
        args: command.args,
        cwd: turn.cwd,
        env: withoutNulls({ ...turn.env, ...parts.variables, ...command.env }),
        input: command.stdin,
        onOutput: (text, from) => {
          silence.reset();
          if (from === "stdout") take(text);
          else stderr.add(text);
        },
        keepsStdinOpen: command.keepsStdinOpen === true,
        onStart: (started) => {
          pipes = started;
        },
      },
      either,
    );
    take("\n");
    return end;
  };
  const gone = execute().then(
    (end) => queue.push({ end }),
    (error: unknown) => queue.fail(either.aborted ? either.reason : systemFailure(dialect.title, error)),
  );

  const read = async function* (): RunningTurn["events"] {
    const reader = dialect.reader(turn.session);
    try {
      for (;;) {
        const received = await queue.next();
        if ("line" in received) {
          for (const event of reader.line(received.line)) {
            if (event.type === "question") pipes?.write(`${event.answer(await decide(event.call))}\n`);
            else if (event.type === "reply") pipes?.write(`${event.line}\n`);
            else yield event;
          }
          if (reader.isDone?.() === true) pipes?.end();
          if (reader.cannotSucceed?.() !== true) continue;
          const exit = { code: null, stderr: stderr.tail(), nowMs: clock.now() };
          return reader.end(exit) ?? failureOfExit(exit, undefined, dialect.login);
        } else {
          stop.signal.throwIfAborted();
          const { end } = received;
          if (!end.started) throw notStarted(dialect.title, end);
          const exit = { code: end.code, stderr: stderr.tail(), nowMs: clock.now() };
          const outcome = reader.end(exit);
          if (
            outcome === null ||
            (outcome.kind === "result" && exit.code !== 0 && outcome.exitCodeExplained !== true)
          ) {
            return failureOfExit(exit, end.signal, dialect.login);
          }
          return outcome;
        }
      }
    } finally {
      stop.abort(new Error("Nobody waits for the turn any more."));
      await gone;
    }
  };
  return { events: read(), gone };
}

/** Without descriptors or disk space the files of the turn cannot be written, which is worth a retry. */
function systemFailure(title: string, error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? notStarted(title, { code, reason: String(error) }) : error;
}

function notStarted(
  title: string,
  { code, reason }: { readonly code?: string; readonly reason: string },
): EngineFailure {
  const kind = classifyFailure(code === undefined ? {} : { code });
  return new EngineFailure(kind, `${title} could not be started: ${reason}.`);
}

function withoutNulls(table: Readonly<Record<string, string | null>>): Record<string, string> {
  return Object.fromEntries(Object.entries(table).filter((entry): entry is [string, string] => entry[1] !== null));
}
