/**
 * What the fake model says, told once and spoken in every wire protocol. A script is a list of replies, one per
 * request in the order they arrive, or a function that looks at the request (a command line asks more than once, and
 * not always in the same order).
 */
export type FakeScript = readonly FakeReply[] | ((request: RecordedRequest) => FakeReply | Promise<FakeReply>);

export type FakeReply = FakeAnswer | FakeError | FakeSilence | FakeReset;

export interface FakeAnswer {
  /** Several pieces become several deltas. */
  readonly text?: string | readonly string[];
  readonly reasoning?: string;
  readonly toolCalls?: readonly FakeToolCall[];
  readonly usage?: FakeUsage;
  /** Default: `tool-calls` when there are any, else `stop`. */
  readonly finish?: FakeFinish;
  readonly headers?: Readonly<Record<string, string>>;
  /** Bytes per write; 1 also splits every multi-byte character. Default: one event per write. */
  readonly chunkBytes?: number;
  readonly crlf?: boolean;
  /** Held back until this resolves, headers included. */
  readonly after?: Promise<unknown>;
  /** After its text the stream waits for this. */
  readonly endsAfter?: Promise<unknown>;
  readonly fault?: StreamFault;
}

export interface FakeToolCall {
  readonly id?: string;
  readonly name: string;
  /** Where the Responses API keeps tools in groups: the group, which the name is then without. */
  readonly namespace?: string;
  /** A string is sent as it is, so that it may be no JSON at all. */
  readonly args: unknown;
}

export interface FakeUsage {
  /** All input tokens, those from and to the cache included. */
  readonly input?: number;
  readonly output?: number;
  readonly cached?: number;
  readonly cacheWrite?: number;
  readonly reasoning?: number;
}

export type FakeFinish = "stop" | "tool-calls" | "length" | "content-filter";

/**
 * What goes wrong with a stream that began well, in its middle (after the text, before the end):
 * the connection is reset; a line that is no JSON; nothing more comes; the stream ends as if it were complete; the data
 * of an event is cut; one line without end; text without end; signs of life without content, for ever; the provider
 * reports an error.
 */
export type StreamFault =
  | "reset"
  | "garbage"
  | "silence"
  | "missing-end"
  | "cut-json"
  | "endless-line"
  | "endless-text"
  | "keep-alives"
  | { readonly error: FakeProviderError };

export interface FakeProviderError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
}

export interface FakeError {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly error?: FakeProviderError;
  /** Instead of the protocol's error body. */
  readonly body?: string;
}

/** The request is read and never answered. */
export interface FakeSilence {
  readonly silence: "headers";
}

/** The connection is reset before any answer. */
export interface FakeReset {
  readonly reset: "headers";
}

export type Protocol = "anthropic-messages" | "openai-chat" | "openai-responses";

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly protocol: Protocol | undefined;
  /** The parsed body; the text when it is no JSON. */
  readonly body: unknown;
  /** The system prompt, the tools and the messages, wherever the protocol keeps them. */
  readonly system: string;
  readonly tools: readonly RecordedTool[];
  readonly messages: readonly unknown[];
}

export interface RecordedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
}

/** The answer with every choice made, as the protocols need it. */
export interface Answer {
  readonly id: string;
  readonly model: string;
  readonly pieces: readonly string[];
  readonly reasoning: string;
  readonly toolCalls: readonly AnswerCall[];
  readonly usage: Required<FakeUsage>;
  readonly finish: FakeFinish;
}

export interface AnswerCall {
  readonly id: string;
  readonly name: string;
  readonly namespace?: string;
  readonly json: string;
}

export function completeAnswer(reply: FakeAnswer, model: string, number: number): Answer {
  const toolCalls = (reply.toolCalls ?? []).map((call, index) => ({
    id: call.id ?? `call_${number}_${index}`,
    name: call.name,
    ...(call.namespace === undefined ? {} : { namespace: call.namespace }),
    json: typeof call.args === "string" ? call.args : JSON.stringify(call.args),
  }));
  return {
    id: `answer_${number}`,
    model,
    pieces: typeof reply.text === "string" ? [reply.text] : (reply.text ?? []),
    reasoning: reply.reasoning ?? "",
    toolCalls,
    usage: { input: 10, output: 5, cached: 0, cacheWrite: 0, reasoning: 0, ...reply.usage },
    finish: reply.finish ?? (toolCalls.length > 0 ? "tool-calls" : "stop"),
  };
}
