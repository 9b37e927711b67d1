import { expect, it } from "vitest";
import type { AgentDefinition } from "../../../src/domain/agent/definition.ts";
import { guardOf } from "../../../src/domain/guard/guard-of.ts";
import { agentPowers } from "../../../src/domain/trust/power.ts";
import { agentsOfWorkflow } from "../../../src/domain/trust/project-abilities.ts";
import { agentYaml } from "../../../src/files/definitions/agent-yaml.ts";
import { loadProject } from "../../../src/files/project/load-project.ts";
import { loadText, temporaryProject } from "../../fixtures/definitions/load-text.ts";

const PROJECT = `guard:
  soul: { observe: false }
  model: small
  provider: { name: openai-compatible, base_url: "http://127.0.0.1:1/v1", api_key: $GUARD_KEY }
  budget: { prompt: 9000, answer: 300, time: 5s, per_day: 1000 }
`;
const ALICE = "model: auto\nprompt: { system: Hi. }\n";

async function load(files: Readonly<Record<string, string>>) {
  using project = temporaryProject(files);
  const { agents, workflows, problems, settings } = await loadProject(project.dir);
  expect(problems).toEqual([]);
  const definitionOf = (name: string): AgentDefinition => {
    const found = agents.get(name)?.definition;
    if (found === undefined) throw new Error(`no agent ${name}`);
    return found;
  };
  const inWorkflow = (name: string, workflow: string): AgentDefinition => {
    const team = workflows.get(workflow)?.definition;
    const used = team && agentsOfWorkflow(team, { agent: (ref) => agents.get(ref)?.definition });
    const found = used?.find(({ definition }) => definition.name === name);
    if (found === undefined) throw new Error(`no agent ${name} in ${workflow}`);
    return found.definition;
  };
  return { definitionOf, inWorkflow, settings };
}

it("merges the settings of the guard key by key: agent, then workflow, then project", async () => {
  const { definitionOf, inWorkflow, settings } = await load({
    "moniro.yaml": PROJECT,
    ".agents/alice.yaml": `${ALICE}guard: { validate: false, budget: { answer: 50 } }\n`,
    ".workflows/review.yaml":
      "agents:\n  alice: alice\n  bob: { model: auto, prompt: { system: Hi. }, guard: { rerank: true } }\n" +
      "guard: { model: larger, validate: true, summarise: false }\n",
  });
  expect(settings.guard).toEqual({ soul: { observe: false, apply: "ask" } });
  const provider = { name: "openai-compatible", baseUrl: "http://127.0.0.1:1/v1", apiKeyEnv: "GUARD_KEY" };
  const budget = { promptTokens: 9000, answerTokens: 300, timeMs: 5000, tokensPerDay: 1000 };
  expect(guardOf(definitionOf("alice"))).toEqual({
    model: "small",
    provider,
    validate: false,
    budget: { ...budget, answerTokens: 50 },
  });
  expect(guardOf(inWorkflow("alice", "review"))).toEqual({
    model: "larger",
    provider,
    validate: false,
    summarise: false,
    budget: { ...budget, answerTokens: 50 },
  });
  expect(guardOf(inWorkflow("bob", "review"))).toMatchObject({ model: "larger", rerank: true, validate: true });
});

it("does not give the address of one provider to the model of another", async () => {
  const { definitionOf } = await load({
    "moniro.yaml": PROJECT,
    ".agents/alice.yaml": `${ALICE}guard: { model: anthropic/claude-haiku-4-5 }\n`,
  });
  expect(guardOf(definitionOf("alice"))).not.toHaveProperty("provider");
});

it("says nothing when no file says anything", async () => {
  const { definitionOf } = await load({ ".agents/alice.yaml": ALICE });
  expect(guardOf(definitionOf("alice"))).toEqual({});
  expect(agentPowers(definitionOf("alice"))).toEqual([]);
});

it("writes and reads the same settings", async () => {
  const { definitionOf } = await load({
    ".agents/alice.yaml": `${ALICE}guard: { model: openai/gpt-5-mini, select: false, budget: { time: 3s } }\n`,
  });
  const alice = definitionOf("alice");
  const again = await load({ ".agents/alice.yaml": agentYaml(alice, ".agents") });
  expect(again.definitionOf("alice")).toEqual(alice);
});

it("makes an address or a key of the guard's model a power of the agent", async () => {
  const { definitionOf, inWorkflow } = await load({
    "moniro.yaml": PROJECT,
    ".agents/alice.yaml": ALICE,
    ".workflows/review.yaml":
      "agents:\n  alice: alice\nguard: { provider: { name: openai, api_key: $OTHER_KEY }, model: openai/gpt-5-mini }\n",
  });
  expect(agentPowers(definitionOf("alice"))).toEqual([
    "let its guard send what it reads and remembers to http://127.0.0.1:1/v1, with the key in GUARD_KEY",
  ]);
  expect(agentPowers(inWorkflow("alice", "review"))).toEqual([
    "let its guard send what it reads and remembers to the provider openai, with the key in OTHER_KEY",
  ]);
});

it.for([
  ["agent", `${ALICE}guard: { modle: x }\n`, 3, `Unknown key "modle"`],
  ["agent", `${ALICE}guard:\n  model: small\n`, 4, "names no provider"],
  ["agent", `${ALICE}guard:\n  model: nobody/small\n`, 4, `no provider "nobody"`],
  ["agent", `${ALICE}guard:\n  model: auto\n`, 4, "must be named"],
  ["agent", `${ALICE}guard:\n  budget: { time: soon }\n`, 4, "soon"],
  ["agent", `${ALICE}guard:\n  provider: { name: openai, api_key: sk-1 }\n`, 4, "must name an environment variable"],
  ["workflow", "agents:\n  bob: bob\nguard: { model: small }\n", 3, "names no provider"],
  ["project", "guard:\n  soul: {}\n  model: '   '\n", 3, "is not a model"],
] as const)("reports a mistake in guard of the %s file with its line: %s", async ([kind, text, line, says]) => {
  const { problems } = await loadText(kind, text);
  expect(problems.find(({ message }) => message.includes(says))).toMatchObject({ severity: "error", line });
});
