import type { Answer, AnswerCall, RecordedTool } from "./script.ts";
import { recordsOf, textOf, toolOf, type WireEvent, type WireFormat } from "./wire.ts";

function event(type: string, data: Readonly<Record<string, unknown>>): WireEvent {
  return { event: type, data: JSON.stringify({ type, sequence_number: 0, ...data }) };
}

function textIndex({ reasoning }: Answer): number {
  return reasoning === "" ? 0 : 1;
}

function messageItem(answer: Answer, status: string) {
  const content =
    status === "completed" ? [{ type: "output_text", text: answer.pieces.join(""), annotations: [] }] : [];
  return { type: "message", id: `msg_${answer.id}`, status, role: "assistant", content };
}

function reasoningItem(answer: Answer) {
  return {
    type: "reasoning",
    id: `rs_${answer.id}`,
    encrypted_content: "ZW5jcnlwdGVk",
    summary: [{ type: "summary_text", text: answer.reasoning }],
  };
}

function callItem(call: AnswerCall, status: string) {
  const done = status === "completed";
  return {
    type: "function_call",
    id: `fc_${call.id}`,
    call_id: call.id,
    name: call.name,
    ...(call.namespace === undefined ? {} : { namespace: call.namespace }),
    arguments: done ? call.json : "",
    status,
  };
}

function response(answer: Answer, status: string) {
  const output = [
    ...(answer.reasoning === "" ? [] : [reasoningItem(answer)]),
    ...(answer.pieces.length > 0 ? [messageItem(answer, "completed")] : []),
    ...answer.toolCalls.map((call) => callItem(call, "completed")),
  ];
  const { usage } = answer;
  return {
    id: `resp_${answer.id}`,
    object: "response",
    created_at: 1_700_000_000,
    status,
    error: null,
    incomplete_details: reasonFor(answer, status),
    model: answer.model,
    output: status === "in_progress" ? [] : output,
    parallel_tool_calls: true,
    tools: [],
    usage:
      status === "in_progress"
        ? null
        : {
            input_tokens: usage.input,
            input_tokens_details: { cached_tokens: usage.cached },
            output_tokens: usage.output,
            output_tokens_details: { reasoning_tokens: usage.reasoning },
            total_tokens: usage.input + usage.output,
          },
  };
}

function reasonFor({ finish }: Answer, status: string): { readonly reason: string } | null {
  if (status !== "incomplete") return null;
  return { reason: finish === "length" ? "max_output_tokens" : "content_filter" };
}

function delta(answer: Answer, text: string): WireEvent {
  const place = { item_id: `msg_${answer.id}`, output_index: textIndex(answer), content_index: 0 };
  return event("response.output_text.delta", { ...place, delta: text, logprobs: [] });
}

function begin(answer: Answer): WireEvent[] {
  const events = [
    event("response.created", { response: response(answer, "in_progress") }),
    event("response.in_progress", { response: response(answer, "in_progress") }),
  ];
  if (answer.reasoning !== "") {
    const item = reasoningItem(answer);
    const place = { item_id: item.id, output_index: 0, summary_index: 0 };
    events.push(
      event("response.output_item.added", { output_index: 0, item: { ...item, summary: [] } }),
      event("response.reasoning_summary_part.added", { ...place, part: { type: "summary_text", text: "" } }),
      event("response.reasoning_summary_text.delta", { ...place, delta: answer.reasoning }),
      event("response.reasoning_summary_part.done", { ...place, part: item.summary[0] }),
      event("response.output_item.done", { output_index: 0, item }),
    );
  }
  if (answer.pieces.length > 0) {
    const place = { item_id: `msg_${answer.id}`, output_index: textIndex(answer), content_index: 0 };
    events.push(
      event("response.output_item.added", {
        output_index: textIndex(answer),
        item: messageItem(answer, "in_progress"),
      }),
      event("response.content_part.added", { ...place, part: { type: "output_text", text: "", annotations: [] } }),
      ...answer.pieces.map((piece) => delta(answer, piece)),
    );
  }
  return events;
}

function finish(answer: Answer): WireEvent[] {
  const events: WireEvent[] = [];
  let index = textIndex(answer);
  if (answer.pieces.length > 0) {
    const place = { item_id: `msg_${answer.id}`, output_index: index, content_index: 0 };
    const text = answer.pieces.join("");
    events.push(
      event("response.output_text.done", { ...place, text, logprobs: [] }),
      event("response.content_part.done", { ...place, part: { type: "output_text", text, annotations: [] } }),
      event("response.output_item.done", { output_index: index++, item: messageItem(answer, "completed") }),
    );
  }
  for (const call of answer.toolCalls) {
    const place = { item_id: `fc_${call.id}`, output_index: index };
    const middle = Math.floor(call.json.length / 2);
    events.push(
      event("response.output_item.added", { output_index: index, item: callItem(call, "in_progress") }),
      event("response.function_call_arguments.delta", { ...place, delta: call.json.slice(0, middle) }),
      event("response.function_call_arguments.delta", { ...place, delta: call.json.slice(middle) }),
      event("response.function_call_arguments.done", { ...place, arguments: call.json }),
      event("response.output_item.done", { output_index: index++, item: callItem(call, "completed") }),
    );
  }
  const complete = answer.finish === "stop" || answer.finish === "tool-calls";
  const type = complete ? "response.completed" : "response.incomplete";
  events.push(event(type, { response: response(answer, complete ? "completed" : "incomplete") }));
  return events;
}

/** Tools may come in groups; a tool of a group is then called `group.tool`. */
function toolsIn(tool: Readonly<Record<string, unknown>>): RecordedTool[] {
  if (tool.type !== "namespace") return [toolOf(tool.name, tool.description, tool.parameters)];
  return recordsOf(tool.tools).map((inner) =>
    toolOf(`${String(tool.name)}.${String(inner.name)}`, inner.description, inner.parameters),
  );
}

function isSystem(item: Readonly<Record<string, unknown>>): boolean {
  return item.role === "system" || item.role === "developer";
}

export const openaiResponses: WireFormat = {
  begin,
  delta,
  finish,
  errorEvent: ({ type, message, code }) =>
    event("error", { error: { type, code: code ?? type, message, param: null } }),
  errorBody: ({ type, message, code }) => ({ error: { message, type, param: null, code: code ?? null } }),
  whole: (answer) => response(answer, "completed"),
  read: (body) => {
    const input = recordsOf(body.input);
    const texts = input.filter(isSystem).map(({ content }) => textOf(content));
    return {
      system: (typeof body.instructions === "string" ? [body.instructions, ...texts] : texts).join("\n"),
      tools: recordsOf(body.tools).flatMap(toolsIn),
      messages: typeof body.input === "string" ? [body.input] : input.filter((item) => !isSystem(item)),
    };
  },
};
