import { afterEach, expect, it, vi } from "vitest";
import { createGuardModels } from "../../../src/engines/sdk/guard-models.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { systemRandom } from "../../../src/kernel/random.ts";
import { silentLog } from "../../../src/testing/silent-log.ts";
import { fakeVector } from "../../support/engine/fake-model-server/embeddings.ts";
import { startFakeModelServer } from "../../support/engine/fake-model-server/server.ts";
import { agentOn, childProcesses, environment, KEY, PROTOCOLS } from "../../support/engine/sdk-engine-rig.ts";

const LIMITS = { maxOutputTokens: 50, timeoutMs: 60_000 };

function guardModels(env: Readonly<Record<string, string | undefined>> = environment) {
  return createGuardModels({ clock: systemClock, random: systemRandom, log: silentLog, env });
}

function modelOn(url: string, protocol = PROTOCOLS[0] ?? "anthropic-messages") {
  const { model = "", provider } = agentOn(url, protocol);
  return provider === undefined ? { model } : { model, provider };
}

afterEach(async () => {
  await vi.waitUntil(() => childProcesses().length === 0, 10_000);
});

it.for(PROTOCOLS)("asks a model one question without tools, over %s", async (protocol) => {
  await using server = await startFakeModelServer([{ text: "yes", usage: { input: 40, output: 2 } }]);
  await using models = guardModels();
  const choice = modelOn(server.url, protocol);
  const answer = await models.complete({ ...choice, ...LIMITS, instructions: "Decide.", input: "Is it so?" });
  expect(answer).toEqual({ ok: true, text: "yes", usage: { inputTokens: 40, outputTokens: 2 } });
  const [request] = server.requests;
  expect(request?.system).toContain("Decide.");
  expect(JSON.stringify(request?.messages)).toContain("Is it so?");
  expect(request?.tools).toEqual([]);
  expect(JSON.stringify(request?.body)).toMatch(/"max_(?:output_|completion_)?tokens":50/);
});

it("remembers nothing between two questions", async () => {
  await using server = await startFakeModelServer([{ text: "one" }, { text: "two" }]);
  await using models = guardModels();
  for (const input of ["the first question", "the second question"]) {
    await models.complete({ ...modelOn(server.url), ...LIMITS, instructions: "Answer.", input });
  }
  expect(JSON.stringify(server.requests[1]?.body)).not.toContain("the first question");
});

it("returns vectors in the order of the texts", async () => {
  await using server = await startFakeModelServer([]);
  await using models = guardModels();
  const texts = ["the cat sat", "prices rise", "ünïcode ✓"];
  const answer = await models.embed({ ...modelOn(server.url, "openai-chat"), texts, timeoutMs: 60_000 });
  if (!answer.ok) throw new Error(answer.reason);
  expect(answer.usage).toEqual({ inputTokens: 21, outputTokens: 0 });
  for (const [index, text] of texts.entries()) {
    expect([...(answer.vectors[index] ?? [])]).toEqual([...Float32Array.from(fakeVector(text))]);
  }
});

it("returns failures as values, without the key", async () => {
  const error = { type: "authentication_error", message: `bad key ${KEY}` };
  await using server = await startFakeModelServer([{ status: 401, error }, { silence: "headers" }]);
  await using models = guardModels();
  const ask = { ...modelOn(server.url), instructions: "Answer.", input: "Well?", maxOutputTokens: 50 };
  const refused = await models.complete({ ...ask, timeoutMs: 60_000 });
  expect(refused).toMatchObject({ ok: false, reason: expect.stringContaining("401") });
  expect(JSON.stringify(refused)).not.toContain(KEY);
  const late = await models.complete({ ...ask, timeoutMs: 1_500 });
  expect(late).toMatchObject({ ok: false, reason: expect.stringContaining("within 1.5 s (guard.budget.time)") });
});

it("says what is missing: a provider, a key, embeddings", async () => {
  await using models = guardModels({ PATH: process.env.PATH, ANTHROPIC_API_KEY: "sk-ant-0123456789" });
  const ask = { instructions: "", input: "x", ...LIMITS };
  expect(await models.complete({ ...ask, model: "nobody/small" })).toMatchObject({
    ok: false,
    reason: expect.stringContaining(`There is no provider "nobody"`),
  });
  expect(await models.complete({ ...ask, model: "openai/gpt-5" })).toMatchObject({
    ok: false,
    reason: expect.stringContaining("OPENAI_API_KEY is not set"),
  });
  const none = await models.embed({ model: "anthropic/claude-haiku-4-5", texts: ["x"], timeoutMs: 60_000 });
  expect(none).toMatchObject({ ok: false });
});

it("makes many requests at once, a few at a time", async () => {
  await using server = await startFakeModelServer(() => ({ text: "ok" }));
  await using models = guardModels();
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, number) =>
      models.complete({ ...modelOn(server.url), ...LIMITS, instructions: "Answer.", input: `question ${number}` }),
    ),
  );
  expect(answers.filter(({ ok }) => ok)).toHaveLength(12);
  expect(childProcesses().length).toBeLessThanOrEqual(4);
});
