import { emitKeypressEvents, type Interface } from "node:readline";
import { frameUpdate, rowText, type Frame, type ScreenSize } from "./frame.ts";
import { readKeys, type KeyEvent, type KeyPress } from "./key.ts";

/** The whole terminal, until it is disposed: then it shows again what it showed before. */
export interface Screen extends Disposable {
  readonly size: ScreenSize;
  draw(frame: Frame): void;
  /** Draws every row again, for a terminal that something else has written to. */
  redraw(): void;
}

export interface ScreenEvents {
  key(key: KeyEvent): void;
  resize(size: ScreenSize): void;
}

const ENTER = "\u001b[?1049h\u001b[?2004h\u001b[2J";
const LEAVE = "\u001b[?2026l\u001b[?2004l\u001b[?1049l\u001b[?25h";
/** So long Escape waits for the rest of a longer key. */
const ESCAPE_MS = 50;
/** Node asks its reader of lines for this; nothing else is needed of one. */
const READER = { escapeCodeTimeout: ESCAPE_MS } as Partial<Interface> as Interface;
const SMALLEST: ScreenSize = { columns: 20, rows: 6 };

export function openScreen(events: ScreenEvents, colours: boolean): Screen {
  const { stdin, stdout } = process;
  let shown: readonly string[] | undefined;
  let last: Frame | undefined;
  let isOpen = true;
  const size = (): ScreenSize => ({
    columns: Math.max(SMALLEST.columns, stdout.columns || 80),
    rows: Math.max(SMALLEST.rows, stdout.rows || 24),
  });
  const draw = (frame: Frame): void => {
    const rows = frame.lines.map((each) => rowText(each, colours));
    stdout.write(frameUpdate(shown, rows, frame.cursor));
    shown = rows;
    last = frame;
  };
  const read = readKeys();
  const onKey = (text: string | undefined, press: KeyPress): void => {
    const key = read(text, press);
    if (key !== undefined) events.key(key);
  };
  const onResize = (): void => {
    shown = undefined;
    events.resize(size());
  };
  const leave = (): void => {
    if (!isOpen) return;
    isOpen = false;
    stdin.off("keypress", onKey);
    stdout.off("resize", onResize);
    process.off("exit", leave);
    stdin.setRawMode(false);
    stdin.pause();
    stdout.write(LEAVE);
  };
  stdout.write(ENTER);
  emitKeypressEvents(stdin, READER);
  stdin.setRawMode(true);
  stdin.on("keypress", onKey);
  stdin.resume();
  stdout.on("resize", onResize);
  // Also after a failure, so that the terminal can be used again.
  process.on("exit", leave);
  return {
    get size() {
      return size();
    },
    draw,
    redraw() {
      shown = undefined;
      if (last !== undefined) draw(last);
    },
    [Symbol.dispose]: leave,
  };
}
