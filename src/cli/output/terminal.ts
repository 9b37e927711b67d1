import { EXIT } from "../../contract/service/errors.ts";
import { UsageError } from "../arguments/usage-error.ts";
import { shortened, terminalText } from "./visible-text.ts";

/**
 * The terminal as commands use it. Output is written synchronously to the file descriptors: opening Node's own standard
 * output takes a sixth of the time that an empty program takes, and fast commands write one line. Nothing else writes to
 * them, and everything that is printed is made visible first: see `visible-text.ts`.
 */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Standard output is a terminal, and the environment does not forbid colours. */
  readonly colours: boolean;
  /** Width of the terminal; undefined when standard output is not a terminal. */
  readonly columns: number | undefined;
  /** A person can answer questions: standard input and standard error are terminals. */
  readonly interactive: boolean;
  print(text: string): void;
  /** Prints content or a protocol: to a file or a pipe as it is, to a terminal as `print` does. */
  printContent(content: string | Uint8Array): void;
  /** Prints to standard error: what the program itself says, so commands in it are hints. */
  note(text: string): void;
  /** Returns a hint with commands that mean the project of this command, for what is printed to standard output. */
  hint(text: string): string;
  /** Prints a line to standard error, if it is a terminal. */
  progress(text: string): void;
  /** Shows a line that the next output removes, or none; only on a terminal that can take a line back. */
  status(text: string | null): void;
  /** Returns the whole standard input. Throws a UsageError when it is not text. */
  stdin(): Promise<string>;
  /** Asks on standard error. Everything but yes means no. */
  confirm(question: string): Promise<boolean>;
}

/** Moves the cursor to the beginning of its line and removes the line. */
const REMOVE_LINE = "\r\u001b[K";

const fs = process.getBuiltinModule("node:fs");

/** `hint` completes the commands in a hint. */
export function openTerminal(hint: (text: string) => string = (text) => text): Terminal {
  const { env } = process;
  let hasStatus = false;
  const write = (fd: Output, content: string | Uint8Array): void => {
    if (hasStatus) writeTo(1, REMOVE_LINE);
    hasStatus = false;
    writeTo(fd, content);
  };
  return {
    env,
    cwd: process.cwd(),
    get colours() {
      const { NO_COLOR, TERM } = env;
      return (NO_COLOR === undefined || NO_COLOR === "") && TERM !== "dumb" && isTerminal(1);
    },
    get columns() {
      return isTerminal(1) ? terminalWidth() : undefined;
    },
    get interactive() {
      return isTerminal(0) && isTerminal(2);
    },
    print: (text) => write(1, terminalText(text)),
    printContent: (content) => write(1, typeof content === "string" && isTerminal(1) ? terminalText(content) : content),
    note: (text) => write(2, terminalText(hint(text))),
    hint,
    progress: (text) => {
      if (isTerminal(2)) write(2, terminalText(`${text}\n`));
    },
    status: (text) => {
      if (env["TERM"] === "dumb" || !isTerminal(1)) return;
      if (hasStatus) writeTo(1, REMOVE_LINE);
      hasStatus = text !== null;
      if (text !== null) writeTo(1, shortened(text, terminalWidth() - 1));
    },
    async stdin() {
      const chunks: Buffer[] = [];
      for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
      const bytes = Buffer.concat(chunks);
      if (!process.getBuiltinModule("node:buffer").isUtf8(bytes)) {
        throw new UsageError(
          "Standard input is not text, and as text it would be changed.",
          "A file keeps its bytes: agent-worker send TARGET --file PATH",
        );
      }
      return bytes.toString("utf8").replace(/^\uFEFF/, "");
    },
    async confirm(question) {
      write(2, "");
      const { createInterface } = await import("node:readline/promises");
      using prompt = createInterface({ input: process.stdin, output: process.stderr });
      return /^y(es)?$/i.test((await prompt.question(`${terminalText(question)} [y/N] `)).trim());
    },
  };
}

/** Some terminals do not know how wide they are. */
function terminalWidth(): number {
  const { columns } = process.stdout;
  return columns > 1 ? columns : 80;
}

/** Checks the kind of file first, because loading `node:tty` takes time. */
function isTerminal(fd: number): boolean {
  try {
    return fs.fstatSync(fd).isCharacterDevice() && process.getBuiltinModule("node:tty").isatty(fd);
  } catch {
    return false;
  }
}

type Output = 1 | 2;
/** Outputs whose reader was too slow for a synchronous write. All later text goes through Node's own stream. */
const streamed = new Set<Output>();

function writeTo(fd: Output, content: string | Uint8Array): void {
  if (streamed.has(fd)) return void streamOf(fd).write(content);
  let rest = Buffer.from(content);
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

/** A closed pipe (`| head`) is not a failure. Other lost output is one. */
function outputFailed(fd: Output, code: string): void {
  if (fd === 2) return;
  if (code === "EPIPE") process.exit(EXIT.ok);
  writeTo(2, `Error: the output cannot be written (${code}).\n`);
  process.exit(EXIT.failed);
}
