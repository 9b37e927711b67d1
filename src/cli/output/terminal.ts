import { EXIT } from "../../contract/service/errors.ts";

/**
 * Everything a command touches of the terminal. Written synchronously to the file descriptors: opening Node's own
 * standard output takes a sixth of the time an empty program takes, and the fast commands write one line.
 */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Standard output goes to a person who wants colours. */
  readonly colours: boolean;
  /** Width of the terminal that standard output goes to; undefined when it goes elsewhere. */
  readonly columns: number | undefined;
  /** A person sits there and can be asked. */
  readonly interactive: boolean;
  /** Standard error goes to a person: progress may be shown there. */
  readonly watched: boolean;
  print(text: string): void;
  /** To standard error. */
  note(text: string): void;
  /** Whole standard input as text, for arguments given as `-`. */
  stdin(): Promise<string>;
  /** Asks on standard error; anything but yes is no. */
  confirm(question: string): Promise<boolean>;
}

const fs = process.getBuiltinModule("node:fs");

export function openTerminal(): Terminal {
  const { env } = process;
  return {
    env,
    cwd: process.cwd(),
    get colours() {
      const { NO_COLOR, TERM } = env;
      return (NO_COLOR === undefined || NO_COLOR === "") && TERM !== "dumb" && isTerminal(1);
    },
    get columns() {
      return isTerminal(1) ? process.stdout.columns : undefined;
    },
    get interactive() {
      return isTerminal(0) && isTerminal(2);
    },
    get watched() {
      return isTerminal(2);
    },
    print: (text) => write(1, text),
    note: (text) => write(2, text),
    async stdin() {
      process.stdin.setEncoding("utf8");
      let text = "";
      for await (const chunk of process.stdin) text += String(chunk);
      return text.replace(/^\uFEFF/, "");
    },
    async confirm(question) {
      const { createInterface } = await import("node:readline/promises");
      using asking = createInterface({ input: process.stdin, output: process.stderr });
      return /^y(es)?$/i.test((await asking.question(`${question} [y/N] `)).trim());
    },
  };
}

/** Devices like /dev/null are no terminals either; what `isatty` needs is loaded only for devices. */
function isTerminal(fd: number): boolean {
  try {
    return fs.fstatSync(fd).isCharacterDevice() && process.getBuiltinModule("node:tty").isatty(fd);
  } catch {
    return false;
  }
}

type Output = 1 | 2;
/** Outputs whose reader was once too slow for synchronous writes: from then on all goes through Node's own stream. */
const streamed = new Set<Output>();

function write(fd: Output, text: string): void {
  if (streamed.has(fd)) return void streamOf(fd).write(text);
  let rest = Buffer.from(text);
  try {
    while (rest.length > 0) rest = rest.subarray(fs.writeSync(fd, rest));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    if (code !== "EAGAIN") return outputFailed(fd, code);
    streamed.add(fd);
    streamOf(fd).on("error", (problem: NodeJS.ErrnoException) => outputFailed(fd, problem.code ?? problem.message));
    streamOf(fd).write(rest);
  }
}

function streamOf(fd: Output): NodeJS.WriteStream {
  return fd === 1 ? process.stdout : process.stderr;
}

/** A reader that has seen enough (`| head`) closes the pipe, which is no failure of ours; output that is lost is one. */
function outputFailed(fd: Output, code: string): void {
  if (fd === 2) return;
  if (code === "EPIPE") process.exit(EXIT.ok);
  write(2, `Error: the output cannot be written (${code}).\n`);
  process.exit(EXIT.failed);
}
