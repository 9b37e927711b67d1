import type { RunEvent } from "../../contract/service/work-request.ts";
import { systemClock } from "../../kernel/clock.ts";
import { trackRunStatus } from "../output/run-status.ts";
import { showRunEvents } from "../output/show-run-events.ts";
import { streamWords } from "../output/streamed-words.ts";
import type { Terminal } from "../output/terminal.ts";

/** Shows the events of a work request. Dispose it before anything else is printed about the request. */
export interface RunDisplay extends Disposable {
  show(event: RunEvent): void;
  /** While a question is open, there is no status line: it would overwrite the question. */
  setAsking(asking: boolean): void;
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
  look: { readonly json: boolean; readonly verbose: boolean; readonly quiet?: boolean },
): RunDisplay {
  if (look.json || look.quiet === true || terminal.columns === undefined) {
    return { show: showRunEvents(terminal, look), setAsking: () => {}, [Symbol.dispose]: () => {} };
  }
  const words = streamWords(terminal);
  const print = showRunEvents(terminal, { ...look, words });
  const status = trackRunStatus(() => systemClock.now());
  const closed = new AbortController();
  let printedAt = systemClock.monotonic();
  let speaks = false;
  let asks = false;
  const showStatus = (): void => {
    if (asks || systemClock.monotonic() - printedAt < (speaks ? STALLED_MS : TICK_MS)) return;
    const text = status.text(systemClock.now());
    if (text !== null) words.pauseForStatus();
    terminal.status(text);
  };
  const watch = async (): Promise<void> => {
    for (;;) {
      await systemClock.sleep(TICK_MS, closed.signal);
      showStatus();
    }
  };
  watch().catch(() => {});
  return {
    show(event) {
      status.follow(event);
      print(event);
      speaks = event.type === "chunk";
      printedAt = systemClock.monotonic();
    },
    setAsking(asking) {
      asks = asking;
      if (asks) {
        words.pause();
        terminal.status(null);
      }
      printedAt = systemClock.monotonic();
    },
    [Symbol.dispose]() {
      closed.abort();
      words.pause();
      terminal.status(null);
    },
  };
}
