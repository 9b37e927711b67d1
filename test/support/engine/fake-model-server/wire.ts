import type { Answer, FakeProviderError, RecordedTool } from "./script.ts";

/** One event of a stream: its name, if the protocol names events, and its data. */
export interface WireEvent {
  readonly event?: string;
  readonly data: string;
}

/** How one protocol says things. `begin` is all up to and with the text; `finish` is what makes the answer complete. */
export interface WireFormat {
  begin(answer: Answer): WireEvent[];
  /** One more piece of text, for streams that never end. */
  delta(answer: Answer, text: string): WireEvent;
  finish(answer: Answer): WireEvent[];
  /** An error inside a stream that began with status 200. */
  errorEvent(error: FakeProviderError): WireEvent;
  /** The same answer for a request that did not ask for a stream. */
  whole(answer: Answer): unknown;
  errorBody(error: FakeProviderError): unknown;
  read(body: Readonly<Record<string, unknown>>): Reading;
}

export interface Reading {
  readonly system: string;
  readonly tools: readonly RecordedTool[];
  readonly messages: readonly unknown[];
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function recordsOf(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** The text of a content that is either a string or a list of parts. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return recordsOf(content)
    .map((part) => (typeof part.text === "string" ? part.text : ""))
    .join("");
}

export function toolOf(name: unknown, description: unknown, inputSchema: unknown): RecordedTool {
  return { name: String(name), description: typeof description === "string" ? description : "", inputSchema };
}
