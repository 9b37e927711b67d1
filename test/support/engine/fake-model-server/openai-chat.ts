import type { Answer, FakeFinish } from "./script.ts";
import { isRecord, recordsOf, textOf, toolOf, type WireEvent, type WireFormat } from "./wire.ts";

const FINISH_REASONS: Readonly<Record<FakeFinish, string>> = {
  stop: "stop",
  "tool-calls": "tool_calls",
  length: "length",
  "content-filter": "content_filter",
};

function chunk(answer: Answer, more: Readonly<Record<string, unknown>>): WireEvent {
  const head = { id: answer.id, object: "chat.completion.chunk", created: 1_700_000_000, model: answer.model };
  return { data: JSON.stringify({ ...head, ...more }) };
}

function choice(answer: Answer, part: Readonly<Record<string, unknown>>, finish: string | null = null): WireEvent {
  return chunk(answer, { choices: [{ index: 0, delta: part, finish_reason: finish }] });
}

function usageOf({ usage }: Answer) {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached },
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
  };
}

function finish(answer: Answer): WireEvent[] {
  const events: WireEvent[] = [];
  for (const [index, { id, name, json }] of answer.toolCalls.entries()) {
    const middle = Math.floor(json.length / 2);
    const open = { index, id, type: "function", function: { name, arguments: json.slice(0, middle) } };
    events.push(
      choice(answer, { tool_calls: [open] }),
      choice(answer, { tool_calls: [{ index, function: { arguments: json.slice(middle) } }] }),
    );
  }
  events.push(
    choice(answer, {}, FINISH_REASONS[answer.finish]),
    chunk(answer, { choices: [], usage: usageOf(answer) }),
    { data: "[DONE]" },
  );
  return events;
}

function isSystem(message: Readonly<Record<string, unknown>>): boolean {
  return message.role === "system" || message.role === "developer";
}

export const openaiChat: WireFormat = {
  begin: (answer) => [
    choice(answer, { role: "assistant", content: "" }),
    ...(answer.reasoning === "" ? [] : [choice(answer, { reasoning_content: answer.reasoning })]),
    ...answer.pieces.map((content) => choice(answer, { content })),
  ],
  delta: (answer, content) => choice(answer, { content }),
  finish,
  errorEvent: ({ type, message, code }) => ({
    data: JSON.stringify({ error: { message, type, param: null, code: code ?? null } }),
  }),
  errorBody: ({ type, message, code }) => ({ error: { message, type, param: null, code: code ?? null } }),
  whole: (answer) => ({
    id: answer.id,
    object: "chat.completion",
    created: 1_700_000_000,
    model: answer.model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: answer.pieces.join(""),
          tool_calls: answer.toolCalls.map(({ id, name, json }) => ({
            id,
            type: "function",
            function: { name, arguments: json },
          })),
        },
        finish_reason: FINISH_REASONS[answer.finish],
      },
    ],
    usage: usageOf(answer),
  }),
  read: (body) => {
    const messages = recordsOf(body.messages);
    return {
      system: messages
        .filter(isSystem)
        .map(({ content }) => textOf(content))
        .join("\n"),
      tools: recordsOf(body.tools)
        .map((tool) => tool.function)
        .filter(isRecord)
        .map((tool) => toolOf(tool.name, tool.description, tool.parameters)),
      messages: messages.filter((message) => !isSystem(message)),
    };
  },
};
