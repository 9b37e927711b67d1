import type { Answer, FakeFinish } from "./script.ts";
import { recordsOf, textOf, toolOf, type WireEvent, type WireFormat } from "./wire.ts";

const STOP_REASONS: Readonly<Record<FakeFinish, string>> = {
  stop: "end_turn",
  "tool-calls": "tool_use",
  length: "max_tokens",
  "content-filter": "refusal",
};

function event(type: string, data: Readonly<Record<string, unknown>>): WireEvent {
  return { event: type, data: JSON.stringify({ type, ...data }) };
}

function inputUsage({ usage }: Answer) {
  return {
    input_tokens: usage.input - usage.cached - usage.cacheWrite,
    cache_read_input_tokens: usage.cached,
    cache_creation_input_tokens: usage.cacheWrite,
  };
}

function textIndex({ reasoning }: Answer): number {
  return reasoning === "" ? 0 : 1;
}

function delta(answer: Answer, text: string): WireEvent {
  return event("content_block_delta", { index: textIndex(answer), delta: { type: "text_delta", text } });
}

function begin(answer: Answer): WireEvent[] {
  const message = { id: answer.id, type: "message", role: "assistant", model: answer.model, content: [] };
  const usage = { ...inputUsage(answer), output_tokens: 1 };
  const events = [
    event("message_start", { message: { ...message, stop_reason: null, stop_sequence: null, usage } }),
    event("ping", {}),
  ];
  if (answer.reasoning !== "") {
    events.push(
      event("content_block_start", { index: 0, content_block: { type: "thinking", thinking: "", signature: "" } }),
      event("content_block_delta", { index: 0, delta: { type: "thinking_delta", thinking: answer.reasoning } }),
      event("content_block_delta", { index: 0, delta: { type: "signature_delta", signature: "c2lnbmVk" } }),
      event("content_block_stop", { index: 0 }),
    );
  }
  if (answer.pieces.length > 0) {
    events.push(event("content_block_start", { index: textIndex(answer), content_block: { type: "text", text: "" } }));
    for (const piece of answer.pieces) events.push(delta(answer, piece));
  }
  return events;
}

function finish(answer: Answer): WireEvent[] {
  const events: WireEvent[] = [];
  let index = textIndex(answer);
  if (answer.pieces.length > 0) events.push(event("content_block_stop", { index: index++ }));
  for (const { id, name, json } of answer.toolCalls) {
    const middle = Math.floor(json.length / 2);
    events.push(event("content_block_start", { index, content_block: { type: "tool_use", id, name, input: {} } }));
    for (const part of [json.slice(0, middle), json.slice(middle)]) {
      events.push(event("content_block_delta", { index, delta: { type: "input_json_delta", partial_json: part } }));
    }
    events.push(event("content_block_stop", { index: index++ }));
  }
  events.push(
    event("message_delta", {
      delta: { stop_reason: STOP_REASONS[answer.finish], stop_sequence: null },
      usage: { ...inputUsage(answer), output_tokens: answer.usage.output },
    }),
    event("message_stop", {}),
  );
  return events;
}

export const anthropicMessages: WireFormat = {
  begin,
  delta,
  finish,
  errorEvent: ({ type, message }) => event("error", { error: { type, message } }),
  errorBody: ({ type, message }) => ({ type: "error", error: { type, message }, request_id: "req_fake" }),
  whole: (answer) => ({
    id: answer.id,
    type: "message",
    role: "assistant",
    model: answer.model,
    content: [
      ...(answer.pieces.length > 0 ? [{ type: "text", text: answer.pieces.join("") }] : []),
      ...answer.toolCalls.map(({ id, name, json }) => ({
        type: "tool_use",
        id,
        name,
        input: JSON.parse(json) as unknown,
      })),
    ],
    stop_reason: STOP_REASONS[answer.finish],
    stop_sequence: null,
    usage: { ...inputUsage(answer), output_tokens: answer.usage.output },
  }),
  read: (body) => ({
    system: textOf(body.system),
    tools: recordsOf(body.tools).map((tool) => toolOf(tool.name, tool.description, tool.input_schema)),
    messages: recordsOf(body.messages),
  }),
};
