import type { MessageView } from "../../contract/messages.ts";
import { paintFor } from "./paint.ts";
import { formatSpeech, messageText } from "./speech.ts";
import type { Terminal } from "./terminal.ts";

const NAME_WIDTH = 8;

/** Formats messages: number, time, name, text. Messages of other days show their date. */
export function messageLines(terminal: Terminal, now: number): (messages: readonly MessageView[]) => string {
  const paint = paintFor(terminal);
  const today = localDay(new Date(now));
  const { columns } = terminal;
  return (messages) => {
    const nameWidth = Math.max(NAME_WIDTH, ...messages.map(({ from }) => from.length));
    const numbers = Math.max(4, ...messages.map(({ seq }) => String(seq).length + 1));
    const lines = messages.map((message) => {
      const { seq, from, kind, mentions, at } = message;
      const mark = `${`#${seq}`.padStart(numbers)}  ${localTime(at, today)}`;
      return formatSpeech(
        { paint, nameWidth, columns },
        {
          from,
          text: messageText(terminal, message),
          mark: { text: paint.dim(mark), width: mark.length },
          mentions,
          ...(kind === "notice" || kind === "grant" || kind === "revoke" ? { style: paint.dim } : {}),
        },
      );
    });
    return lines.join("");
  };
}

/** Returns `14:03`, or `2026-01-31 14:03` for another day than today, in local time. */
function localTime(at: string, today: string): string {
  const moment = new Date(at);
  const day = localDay(moment);
  const time = `${twoDigits(moment.getHours())}:${twoDigits(moment.getMinutes())}`;
  return day === today ? time : `${day} ${time}`;
}

function localDay(moment: Date): string {
  return `${moment.getFullYear()}-${twoDigits(moment.getMonth() + 1)}-${twoDigits(moment.getDate())}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
