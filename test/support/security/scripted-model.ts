import type { FakeToolCall, RecordedRequest } from "../engine/fake-model-server/script.ts";
import { startFakeModelServer, type FakeModelServer } from "../engine/fake-model-server/server.ts";

/** What the model does for a word in its inbox: these tool calls, one per step. Then it says something, or "Done.". */
export type Plans = Readonly<Record<string, readonly (FakeToolCall | { readonly text: string })[]>>;

/** A model that is as obedient as an attacker could wish: a word in the inbox makes it call the tools of a plan. */
export interface ScriptedModel extends FakeModelServer {
  /** The prompts of the runs whose inbox contains the word, oldest first, without what came after them. */
  promptsWith(word: string): string[];
  /** The text of every tool result that the model got, in the order of arrival. */
  results(): string[];
}

export async function startScriptedModel(plans: Plans): Promise<ScriptedModel> {
  const server = await startFakeModelServer((request) => {
    const { prompt, finished } = lastTurn(request);
    const [, plan = []] = Object.entries(plans).find(([word]) => inboxOf(prompt).includes(word)) ?? [];
    const next = plan[finished.length] ?? { text: "Done." };
    return "text" in next ? next : { toolCalls: [next] };
  });
  return {
    ...server,
    promptsWith: (word) =>
      server.requests
        .map(lastTurn)
        .filter(({ prompt, finished }) => finished.length === 0 && inboxOf(prompt).includes(word))
        .map(({ prompt }) => prompt),
    results: () => server.requests.flatMap((request) => lastTurn(request).finished.slice(-1)),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** The definition of an agent that this model answers. `FAKE_KEY` must be in the environment of the daemon. */
export function agentOn(model: FakeModelServer, name: string, more = ""): string {
  const provider = `{ name: anthropic, base_url: "${model.url}/v1", api_key: $FAKE_KEY }`;
  return `name: ${name}\nmodel: fake-model\nprovider: ${provider}\nprompt: { system: You are ${name}. }\n${more}`;
}

export const MODEL_ENV = { FAKE_KEY: "sk-test-0123456789abcdef" };

function lastTurn({ messages }: RecordedRequest): { readonly prompt: string; readonly finished: string[] } {
  const blocks = (messages as readonly { readonly content: string | readonly Block[] }[]).map(({ content }) =>
    typeof content === "string" ? [{ type: "text", text: content }] : content,
  );
  const at = blocks.findLastIndex((each) => each.some(({ text }) => text?.includes("<now ") === true));
  const prompt = (blocks[at] ?? []).map(({ text = "" }) => text).join("\n");
  const results = blocks
    .slice(at + 1)
    .flat()
    .filter(({ type }) => type === "tool_result");
  return { prompt, finished: results.map(({ content }) => resultText(content)) };
}

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly content?: string | readonly { readonly text?: string }[];
}

function resultText(content: Block["content"]): string {
  return typeof content === "string" ? content : (content ?? []).map(({ text = "" }) => text).join("\n");
}

function inboxOf(prompt: string): string {
  return prompt.slice(prompt.lastIndexOf("<inbox>\n"));
}
