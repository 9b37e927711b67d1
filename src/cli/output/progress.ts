import type { Terminal } from "./terminal.ts";

/** Tells a person who watches that something takes a while; nobody else. */
export function showProgress(terminal: Terminal): (text: string) => void {
  return (text) => {
    if (terminal.watched) terminal.note(`${text}\n`);
  };
}
