import { activeDecision, waitingHere, wasSeen } from "../view/pane-feed.ts";
import { currentPane, type ChatEvent, type ChatState } from "./chat-state.ts";
import { answerOf } from "./decision.ts";

const KEY = { kind: "key", name: "return", ctrl: false, alt: false, shift: false } as const;
const ENTER: ChatEvent = { type: "key", key: KEY };
const CLEAR: ChatEvent = { type: "key", key: { ...KEY, name: "u", ctrl: true } };

/**
 * What a line does that was typed in a chat of plain lines: the answer to what waits here, a command or a message. An
 * empty line sends what is left in the input: a text that was not accepted, or what the chat offers to send.
 */
export function typedLine(state: ChatState, typed: string): readonly ChatEvent[] {
  const text = typed.replaceAll(/\p{Cc}/gu, "").trim();
  if (text === "") return (currentPane(state)?.draft.text ?? "") === "" ? [] : [ENTER];
  const [waiting] = waitingHere(state);
  const isAnswer = waiting !== undefined && answerOf(waiting, text.toLowerCase()) !== undefined;
  if (!isAnswer) return [CLEAR, { type: "key", key: { kind: "text", text, pasted: true } }, ENTER];
  const { rule } = state;
  if (!wasSeen(state, waiting) || (rule?.id === waiting.id && !wasSeen(state, rule))) {
    return [{ type: "notice", text: `This came just now. To answer it, type ${text} again.`, style: "warn" }];
  }
  const key: ChatEvent = { type: "key", key: { kind: "text", text } };
  return activeDecision(state) === undefined ? [CLEAR, key] : [key];
}
