import type { MessageView } from "../../contract/messages.ts";
import { paintFor } from "./paint.ts";
import { formatSpeech } from "./speech.ts";
import type { Terminal } from "./terminal.ts";

const NAME_WIDTH = 8;

/** Messages for a person: number and time, who, what. What was said on other days carries its date. */
export function messageLines(terminal: Terminal, now: number): (messages: readonly MessageView[]) => string {
  const paint = paintFor(terminal);
  const today = localDay(new Date(now));
  const { columns } = terminal;
  return (messages) => {
    const nameWidth = Math.max(NAME_WIDTH, ...messages.map(({ from }) => from.length));
    const numbers = Math.max(4, ...messages.map(({ seq }) => String(seq).length + 1));
    const lines = messages.map(({ seq, from, to, kind, content, resource, mentions, at }) => {
      const when = localTime(at, today);
      const mark = `${`#${seq}`.padStart(numbers)}  ${when}`;
      const whole = resource === null ? "" : `\n(the whole of it: agent-worker resource show ${resource})`;
      return formatSpeech(
        { paint, nameWidth, columns },
        {
          from,
          text: `${to === null ? "" : `(to ${to}) `}${content}${whole}`,
          mark: { text: paint.dim(mark), width: mark.length },
          mentions,
          ...(kind === "notice" ? { style: paint.dim } : {}),
        },
      );
    });
    return lines.join("");
  };
}

/** `14:03`, or `2026-01-31 14:03` for another day than today, in the time of this machine. */
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
