import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { vi } from "vitest";
import { NO_LOCAL_MODELS } from "../daemon/no-local-models.ts";

/**
 * A program in a real pseudo-terminal, and what a terminal shows of it, if `npm ci --prefix test/terminal` has installed
 * them. Only what the tests use is written down here, because the types are installed with the packages.
 */
const FOLDER = join(import.meta.dirname, "../../terminal");
const [PTY, EMULATOR] = ["node-pty", "@xterm/headless"] as const;
export const terminalInstalled = existsSync(join(FOLDER, "node_modules"));
export const COMMAND = join(import.meta.dirname, "../../../bin/agent-worker.js");

interface Pty {
  onData(listener: (data: string) => void): void;
  onExit(listener: (end: { exitCode: number }) => void): void;
  write(data: string): void;
  resize(columns: number, rows: number): void;
  kill(signal?: string): void;
}

interface Emulator {
  readonly rows: number;
  write(data: string, done?: () => void): void;
  resize(columns: number, rows: number): void;
  readonly buffer: {
    readonly active: {
      readonly baseY: number;
      readonly cursorX: number;
      readonly cursorY: number;
      getLine(row: number): { translateToString(trim: boolean): string } | undefined;
    };
  };
}

export interface PtyScreen extends AsyncDisposable {
  /** The rows as a person sees them. */
  rows(): string[];
  text(): string;
  /** Everything that the program wrote. */
  readonly written: () => string;
  press(keys: string): void;
  resize(columns: number, rows: number): void;
  /** Waits until the screen contains the text. */
  shows(text: string | RegExp): Promise<void>;
  /** Waits until the screen contains it no longer. */
  showsNot(text: string): Promise<void>;
  readonly ended: Promise<number>;
}

export interface PtyOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
  /** Default: Node. */
  readonly program?: string;
}

const WAIT = { timeout: 60_000, interval: 20 };

export function openPty(
  args: readonly string[],
  { cwd, env, columns = 80, rows = 24, program: file = process.execPath }: PtyOptions,
): PtyScreen {
  const load = createRequire(join(FOLDER, "package.json"));
  const { spawn } = load(PTY) as { spawn(file: string, args: string[], options: object): Pty };
  const { Terminal } = load(EMULATOR) as { Terminal: new (options: object) => Emulator };
  const emulator = new Terminal({ cols: columns, rows, allowProposedApi: true });
  const program = spawn(file, [...args], {
    cols: columns,
    rows,
    cwd,
    env: { PATH: process.env["PATH"], TERM: "xterm-256color", ...NO_LOCAL_MODELS, ...env },
  });
  let written = "";
  let over = false;
  program.onData((data) => {
    written += data;
    emulator.write(data);
  });
  const end = Promise.withResolvers<number>();
  program.onExit(({ exitCode }) => {
    over = true;
    end.resolve(exitCode);
  });
  const shown = (): string[] => {
    const { active } = emulator.buffer;
    return Array.from(
      { length: emulator.rows },
      (_, row) => active.getLine(row + active.baseY)?.translateToString(true) ?? "",
    );
  };
  const text = (): string => shown().join("\n");
  const has = (wanted: string | RegExp): boolean =>
    typeof wanted === "string" ? text().includes(wanted) : wanted.test(text());
  return {
    rows: shown,
    text,
    written: () => written,
    press: (keys) => program.write(keys),
    resize(nextColumns, nextRows) {
      emulator.resize(nextColumns, nextRows);
      program.resize(nextColumns, nextRows);
    },
    shows: (wanted) =>
      vi.waitFor(() => {
        if (!has(wanted)) throw new Error(`The screen does not show ${String(wanted)}:\n${text()}`);
      }, WAIT),
    showsNot: (wanted) =>
      vi.waitFor(() => {
        if (has(wanted)) throw new Error(`The screen still shows ${wanted}:\n${text()}`);
      }, WAIT),
    ended: end.promise,
    async [Symbol.asyncDispose]() {
      if (!over) program.kill("SIGKILL");
      await end.promise;
    },
  };
}
