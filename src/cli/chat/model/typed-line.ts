import { currentPane, type ChatEvent, type ChatState } from "./chat-state.ts";

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
  return [CLEAR, { type: "key", key: { kind: "text", text, pasted: true } }, ENTER];
}
