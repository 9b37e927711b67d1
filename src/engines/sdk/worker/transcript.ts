import { modelMessageSchema, type ModelMessage, type ToolResultPart } from "ai";
import type { OpenCall } from "../tool-results.ts";
import { WorkerFailure } from "./failure-report.ts";

/**
 * The transcript is the conversation of a run as a list of messages of the AI SDK. Messages are only added, and a step
 * reports only those that it added.
 */
export function readTranscript(transcript: string | null): ModelMessage[] {
  if (transcript === null) return [];
  try {
    return modelMessageSchema.array().parse(JSON.parse(transcript));
  } catch {
    throw new WorkerFailure({
      permanent: true,
      message: "The transcript of the run cannot be read; it was not written by this version of the sdk engine.",
    });
  }
}

export function writeTranscript(messages: readonly ModelMessage[]): string {
  return JSON.stringify(messages);
}

/** Returns the id of each call of a conversation, unique even if the provider repeats its ids in every answer. */
export type CallNamer = (providerId: string) => string;

export function callNamer(messages: readonly ModelMessage[]): CallNamer {
  const made = new Map<string, number>();
  const name: CallNamer = (providerId) => {
    const number = (made.get(providerId) ?? 0) + 1;
    made.set(providerId, number);
    return number === 1 ? providerId : `${providerId}~${number}`;
  };
  for (const { toolCallId } of messages.flatMap(callsIn)) name(toolCallId);
  return name;
}

/** Returns the calls in the order in which the model made them. */
export function openCalls(messages: readonly ModelMessage[]): OpenCall[] {
  const answered = new Map<string, number>();
  for (const { toolCallId } of messages.flatMap(resultsIn)) {
    answered.set(toolCallId, (answered.get(toolCallId) ?? 0) + 1);
  }
  const name = callNamer([]);
  return messages.flatMap(callsIn).flatMap(({ toolCallId, toolName, input }) => {
    const id = name(toolCallId);
    const left = answered.get(toolCallId) ?? 0;
    answered.set(toolCallId, left - 1);
    return left > 0 ? [] : [{ id, providerId: toolCallId, tool: toolName, args: input }];
  });
}

function callsIn(message: ModelMessage) {
  if (message.role !== "assistant" || typeof message.content === "string") return [];
  return message.content.filter((part) => part.type === "tool-call");
}

function resultsIn(message: ModelMessage): ToolResultPart[] {
  return message.role === "tool" ? message.content.filter((part) => part.type === "tool-result") : [];
}

/** Returns the text of the last message if it is the model's; null if the model has to be called. */
export function finalText(messages: readonly ModelMessage[]): string | null {
  const last = messages.at(-1);
  if (last?.role !== "assistant") return null;
  if (typeof last.content === "string") return last.content;
  return last.content.map((part) => (part.type === "text" ? part.text : "")).join("");
}
