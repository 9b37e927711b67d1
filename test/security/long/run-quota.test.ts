import { afterAll, beforeAll, describe, expect } from "vitest";
import { MINUTE_LIMITS, type QuotaKind } from "../../../src/domain/budget/run-quota.ts";
import { value } from "../../support/result.ts";
import { attack } from "../../support/security/attack.ts";
import {
  startHostileTeam,
  type HostileTeam,
  type HttpAnswer,
  type TokenInHand,
} from "../../support/security/token-in-hand.ts";
import { eventually } from "../../support/team/running-project.ts";

interface Flood {
  readonly agent: string;
  readonly what: string;
  readonly kind: Exclude<QuotaKind, "bytes">;
  readonly request: (number: number) => readonly [method: string, path: string, body: unknown];
}

const FLOODS: readonly Flood[] = [
  { agent: "a1", what: "messages", kind: "messages", request: (n) => ["POST", "/send", { message: `hello ${n}` }] },
  {
    agent: "a2",
    what: "documents",
    kind: "documents",
    request: (n) => ["POST", "/documents", { file: `flood-${n}.md`, content: "x" }],
  },
  {
    agent: "a3",
    what: "ballots",
    kind: "ballots",
    request: (n) => ["POST", "/proposals", { type: "decision", title: `Which ${n}?`, options: ["a", "b"] }],
  },
  { agent: "a4", what: "notes", kind: "notes", request: (n) => ["POST", "/agents/a4/notes", { text: `note ${n}` }] },
  { agent: "a5", what: "todos", kind: "notes", request: (n) => ["POST", "/agents/a5/todos", { text: `todo ${n}` }] },
  {
    agent: "a6",
    what: "states of its own",
    kind: "changes",
    request: (n) => ["PUT", "/members/me/status", { task: `busy with ${n}` }],
  },
  {
    agent: "a7",
    what: "resources",
    kind: "documents",
    request: (n) => ["POST", "/resources", { content: `a resource ${n}` }],
  },
];
const NAMES = [...FLOODS.map(({ agent }) => agent), "mixed", "large", "patient", "other"];

let team: HostileTeam;
beforeAll(async () => {
  const agents = Object.fromEntries(NAMES.map((name) => [name, "tools: [full]\n"]));
  const members = NAMES.map((name) => `  ${name}: { ref: ${name} }\n`).join("");
  team = await startHostileTeam(agents, {
    ".workflows/team.yaml": `name: team\nagents:\n${members}`,
    // A ballot wakes everybody who may vote.
    ".workflows/alone.yaml": "name: alone\nagents: { a3: { ref: a3 } }\n",
  });
  for (const workflow of ["team", "alone"]) {
    value(await team.daemon.client.call("open-workspace", { workflow }));
  }
});
afterAll(() => team?.[Symbol.asyncDispose]());

/** The agent is at work until the attack is over: only some may be at work at the same time. */
async function atWork(agent: string, workflow = "team"): Promise<TokenInHand & Disposable> {
  const token = await team.wake(agent, `${agent}@${workflow}`);
  return { ...token, [Symbol.dispose]: () => token.end() };
}

async function saidBy(agent: string): Promise<string[]> {
  const { messages } = value(await team.daemon.client.call("peek-channel", { target: "@team", limit: 500 }));
  return messages.filter(({ from }) => from === agent).map(({ content }) => content);
}

function expectRefused({ status, code, headers, text }: HttpAnswer): void {
  expect([status, code]).toEqual([429, "limited"]);
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  expect(text).toMatch(/has used up its quota of a minute: .*What was accepted stays\. Go on in \d+ s/);
}

describe("the quota of a run", () => {
  for (const { agent, what, kind, request } of FLOODS) {
    attack(`a run makes ${what} without end [quota.stops]`, async () => {
      using token = await atWork(agent, kind === "ballots" ? "alone" : "team");
      const limit = MINUTE_LIMITS[kind];
      const answers = await Promise.all(
        Array.from({ length: limit + 40 }, (_, number) => token.http(...request(number))),
      );
      const accepted = answers.filter(({ status }) => status === 200);
      expect(accepted).toHaveLength(limit);
      for (const refused of answers.filter(({ status }) => status !== 200)) expectRefused(refused);
    });
  }

  attack("what a flood had sent before it was stopped is lost [quota.stops]", async () => {
    const said = await saidBy("a1");
    expect(said).toHaveLength(MINUTE_LIMITS.messages);
    expect(new Set(said).size).toBe(said.length);
  });

  attack("a run that is stopped takes its team and the person along [quota.others]", async () => {
    using other = await atWork("other");
    expect(await other.http("POST", "/send", { message: "still here" })).toMatchObject({ status: 200 });
    expect(await other.call("channel_send", { message: "here too" })).toMatchObject({ isError: false });
    const sent = await Promise.all(
      Array.from({ length: MINUTE_LIMITS.messages + 20 }, (_, number) =>
        team.daemon.client.call("send-message", { to: "@team", message: `of a person ${number}` }),
      ),
    );
    expect(sent.filter(({ ok }) => !ok)).toEqual([]);
  });

  attack("a run goes on over MCP after HTTP refused it, and the other way round [quota.one-count]", async () => {
    using token = await atWork("mixed");
    let accepted = 0;
    for (let number = 0; number < MINUTE_LIMITS.messages + 10; number += 1) {
      const message = `turn ${number}`;
      const isAccepted =
        number % 2 === 0
          ? (await token.http("POST", "/send", { message })).status === 200
          : !(await token.call("channel_send", { message })).isError;
      if (isAccepted) accepted += 1;
    }
    expect(accepted).toBe(MINUTE_LIMITS.messages);
    const refused = await token.call("channel_send", { message: "more" });
    expect(refused.text).toMatch(/used up its quota of a minute: 60 messages/);
    expect((await saidBy("mixed")).length).toBe(accepted);
    expect(await token.run(["context", "send", "more"])).toMatchObject({ exit: 3 });
  });

  attack("a run fills the disk with few large texts [quota.stops]", async () => {
    using token = await atWork("large");
    const content = "x".repeat(1024 * 1024 - 1000);
    const answers: HttpAnswer[] = [];
    for (let number = 0; number < 18; number += 1) {
      answers.push(await token.http("POST", "/documents", { file: `large-${number}.md`, content }));
    }
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(16);
    expect(answers.at(-1)).toMatchObject({ status: 429, code: "limited" });
    expect(answers.at(-1)?.text).toContain("16384 KiB");
  });

  attack("a run that used up its quota cannot answer any more, so its work is lost [quota.reply]", async () => {
    using token = await atWork("patient");
    const sent = Array.from({ length: MINUTE_LIMITS.notes + 1 }, (_, number) =>
      token.http("POST", "/agents/patient/notes", { text: `note ${number}` }),
    );
    expect((await Promise.all(sent)).filter(({ status }) => status === 429)).toHaveLength(1);
    token.end();
    await eventually("it answered", async () => (await saidBy("patient")).includes("I am done."));
  });
});
