import type { SpeechLayout } from "./speech.ts";
import type { Terminal } from "./terminal.ts";
import { textWidth } from "../screen/text-width.ts";
import { visibleText } from "./visible-text.ts";

/** Words of agents on a terminal, as they come, laid out like whole messages. */
export interface StreamedWords {
  add(layout: SpeechLayout, agent: string, text: string): void;
  /** Ends the line, so that something else can be printed. */
  pause(): void;
  /** The same for something that is removed again: the agent goes on below its words, without its name. */
  pauseForStatus(): void;
  /** Ends what the agent says. Returns whether it has said exactly this text. */
  end(agent: string, text?: string): boolean;
}

interface Speaking {
  text: string;
  /** Spaces and line ends after its last word. They are printed before the next one. */
  gap: string;
}

const NARROWEST = 30;

export function streamWords(terminal: Pick<Terminal, "print">): StreamedWords {
  const speaking = new Map<string, Speaking>();
  /** The agent at the end of whose words the cursor is. */
  let open: string | undefined;
  let last: string | undefined;
  let column = 0;

  const endLine = (): void => {
    if (open !== undefined) terminal.print("\n");
    open = undefined;
  };
  const pause = (): void => {
    endLine();
    last = undefined;
  };

  /** Returns what comes before a word: its name, a new line, or spaces. */
  const before = ({ paint, nameWidth, columns }: SpeechLayout, agent: string, said: Speaking, word: string): string => {
    const hanging = nameWidth + 2;
    const width = Math.max(NARROWEST, (columns ?? Number.POSITIVE_INFINITY) - hanging);
    const isFirst = said.text.trim() === "";
    const lines = said.gap.split("\n");
    const indent = lines.at(-1) ?? "";
    if (
      open === agent &&
      lines.length === 1 &&
      (said.gap === "" || column + said.gap.length + textWidth(word) <= width)
    ) {
      column += said.gap.length;
      return said.gap;
    }
    const ended = open === agent;
    if (!ended) endLine();
    open = agent;
    const sameSpeaker = ended || last === agent;
    last = agent;
    const name =
      isFirst || !sameSpeaker ? paint.as(agent, agent) + " ".repeat(Math.max(0, hanging - textWidth(agent))) : "";
    const shownIndent = lines.length > 1 && !isFirst ? indent : "";
    column = shownIndent.length;
    const breaks = ended ? "\n".repeat(Math.max(1, lines.length - 1)) : "";
    return `${breaks}${name === "" ? " ".repeat(hanging) : name}${shownIndent}`;
  };

  return {
    add(layout, agent, text) {
      const said = speaking.get(agent) ?? { text: "", gap: "" };
      speaking.set(agent, said);
      for (const piece of text.replaceAll("\r\n", "\n").split(/(\s+)/)) {
        if (piece === "") continue;
        if (piece.trim() === "") said.gap += piece;
        else {
          const word = visibleText(piece);
          terminal.print(`${before(layout, agent, said, word)}${word}`);
          column += textWidth(word);
          said.gap = "";
        }
        said.text += piece;
      }
    },
    pause,
    pauseForStatus: endLine,
    end(agent, text) {
      const said = speaking.get(agent)?.text ?? "";
      speaking.delete(agent);
      if (open === agent || last === agent) pause();
      return text !== undefined && said.trim() !== "" && said.trim() === text.trim();
    },
  };
}
