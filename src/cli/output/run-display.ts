import type { RunEvent } from "../../contract/service/work-request.ts";
import { trackRunStatus } from "./run-status.ts";
import { showRunEvents } from "./show-run-events.ts";
import { streamWords } from "./streamed-words.ts";
import type { Terminal } from "./terminal.ts";

/** Shows the events of a work request. Dispose it before anything else is printed about the request. */
export interface RunDisplay extends Disposable {
  show(event: RunEvent): void;
}

const TICK_MS = 1_000;
/** So long nothing is said before the line of an agent that has begun to speak is ended for the status. */
const STALLED_MS = 2_000;

/**
 * On a terminal words are shown as they come, and while nothing is said a status line. Elsewhere whole messages are
 * printed, and nothing that is taken back.
 */
export function openRunDisplay(
  terminal: Terminal,
  look: { readonly json: boolean; readonly verbose: boolean },
): RunDisplay {
  if (look.json || terminal.columns === undefined) {
    return { show: showRunEvents(terminal, look), [Symbol.dispose]: () => {} };
  }
  const words = streamWords(terminal);
  const print = showRunEvents(terminal, { ...look, words });
  const status = trackRunStatus(Date.now);
  let printedAt = Date.now();
  let speaks = false;
  const tick = (): void => {
    const silentMs = Date.now() - printedAt;
    if (silentMs < (speaks ? STALLED_MS : TICK_MS)) return;
    const text = status.text(Date.now());
    if (text !== null) words.pauseForStatus();
    terminal.status(text);
  };
  const timer = setInterval(tick, TICK_MS);
  timer.unref();
  return {
    show(event) {
      status.follow(event);
      print(event);
      speaks = event.type === "chunk";
      printedAt = Date.now();
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      words.pause();
      terminal.status(null);
    },
  };
}
