import { estimateTokens } from "../../../src/guard/context/estimate-tokens.ts";
import { startTestDaemon } from "../daemon/daemon.ts";
import type { RecordedRequest } from "../engine/fake-model-server/script.ts";
import { startFakeModelServer } from "../engine/fake-model-server/server.ts";
import { value } from "../result.ts";
import { agentOn, MODEL_ENV } from "../security/scripted-model.ts";

/** What a model is sent for its first step. */
export interface FirstPrompt {
  readonly request: RecordedRequest;
  /** As estimated for budgets: the system text, the prompt and the tools with their schemas. */
  readonly tokens: { readonly system: number; readonly prompt: number; readonly tools: number; readonly all: number };
  /** The same of the whole body of the request, as JSON. */
  readonly bodyTokens: number;
}

/** The first prompts of agents without a history, from the requests of a real daemon to a model. */
export async function firstPrompts(): Promise<{ readonly direct: FirstPrompt; readonly team: FirstPrompt }> {
  await using model = await startFakeModelServer(() => ({ text: "Done." }));
  await using daemon = await startTestDaemon({
    env: MODEL_ENV,
    files: {
      ".agents/alice.yaml": agentOn(model, "alice", "soul: { role: reviewer }\n"),
      ".agents/bob.yaml": agentOn(model, "bob", "soul: { role: author }\n"),
      ".workflows/review.yaml": "name: review\nagents: { alice: { ref: alice }, bob: { ref: bob } }\n",
    },
  });
  value(await daemon.client.serve({ agent: "alice", message: "What is the capital of France?" }));
  value(await daemon.client.call("open-workspace", { workflow: "review" }));
  value(await daemon.client.call("send-message", { to: "@review", message: "@alice, please review the change." }));
  await model.received(2);
  const [direct, team] = model.requests;
  if (direct === undefined || team === undefined) throw new Error("the model was not asked");
  return { direct: measurePrompt(direct), team: measurePrompt(team) };
}

export function measurePrompt(request: RecordedRequest): FirstPrompt {
  const { system, messages, tools, body } = request;
  const texts = (messages as readonly { readonly content: readonly { readonly text?: string }[] }[])
    .flatMap(({ content }) => content.map(({ text = "" }) => text))
    .join("\n");
  const counts = {
    system: estimateTokens(system),
    prompt: estimateTokens(texts),
    tools: estimateTokens(JSON.stringify(tools)),
  };
  const all = counts.system + counts.prompt + counts.tools;
  return { request, tokens: { ...counts, all }, bodyTokens: estimateTokens(JSON.stringify(body)) };
}
