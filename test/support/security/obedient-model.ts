import type { FakeReply, FakeToolCall, RecordedRequest } from "../engine/fake-model-server/script.ts";
import { startFakeModelServer, type FakeModelServer } from "../engine/fake-model-server/server.ts";

/** What the model does for a word in its inbox, one for each step, before it obeys what it reads. */
export type Part = FakeToolCall | { readonly text: string };

/**
 * A model that does whatever it reads: `!tool {json}` anywhere in its prompt or in results of tools. As the model of a guard
 * it lets everything pass, and repeats every text it was given as its own.
 */
export interface ObedientModel extends FakeModelServer {
  /** Plays these parts when the last message of an inbox contains the word. */
  play(word: string, parts: readonly Part[]): void;
}

const ORDER = /!(\w+) (\{[^{}]*\})/g;

export async function startObedientModel(): Promise<ObedientModel> {
  const plays = new Map<string, readonly Part[]>();
  const server = await startFakeModelServer((request) =>
    (request.body as { model?: unknown }).model === "guard-model" ? guardReply(request) : reply(request, plays),
  );
  return { ...server, play: (word, parts) => void plays.set(word, parts) };
}

function reply(request: RecordedRequest, plays: ReadonlyMap<string, readonly Part[]>): FakeReply {
  const { read, called } = conversation(request);
  const inbox = read[0]?.slice(read[0].lastIndexOf("<inbox>\n")) ?? "";
  const parts = [...plays].find(([word]) => inbox.includes(word))?.[1] ?? [];
  const next = parts[called.length];
  if (next !== undefined) return "text" in next ? next : { toolCalls: [next] };
  const orders = read.flatMap((text) => [...text.matchAll(ORDER)].map(([, name = "", args = ""]) => ({ name, args })));
  const done = new Set(called);
  const order = orders.find(({ name, args }) => !done.has(`${name} ${normal(args)}`));
  if (order === undefined) return { text: "Done." };
  return { toolCalls: [{ name: order.name, args: order.args }] };
}

function guardReply(request: RecordedRequest): FakeReply {
  const { read } = conversation(request);
  const ids = [...read.join("\n").matchAll(/<excerpt id="([md]?\d+)"/g)].map(([, id = ""]) => id);
  const words = read.join("\n").replace(/<[^>]*>/g, " ");
  if (request.system.includes("what another agent knows"))
    return { text: JSON.stringify({ summary: words.slice(0, 1000), sources: ids.slice(0, 1) }) };
  if (request.system.includes("candidates")) return { text: JSON.stringify({ matter: ids }) };
  return words.includes("REFUSE")
    ? {
        text: JSON.stringify({
          keep: false,
          reason: words
            .slice(words.indexOf("REFUSE") + 6)
            .trim()
            .slice(0, 190),
        }),
      }
    : { text: '{"keep": true}' };
}

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly content?: string | readonly { readonly text?: string }[];
}

/** What the model has read since its prompt, and the calls it has made. */
function conversation({ messages }: RecordedRequest) {
  const blocks = (messages as readonly { readonly content: string | readonly Block[] }[]).flatMap(
    ({ content }): readonly Block[] => (typeof content === "string" ? [{ type: "text", text: content }] : content),
  );
  const from = Math.max(
    0,
    blocks.findLastIndex(({ text }) => text?.includes("<now ") === true),
  );
  const now = blocks.slice(from);
  const texts = ({ text, content }: Block): string =>
    text ?? (typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("\n"));
  return {
    read: now.filter(({ type }) => type === "text" || type === "tool_result").map(texts),
    called: now.flatMap(({ type, name, input }) => (type === "tool_use" ? [`${name} ${JSON.stringify(input)}`] : [])),
  };
}

function normal(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json));
  } catch {
    return json;
  }
}
