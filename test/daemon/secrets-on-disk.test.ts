import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";
import { openDaemon } from "../../src/daemon/daemon.ts";
import { EngineFailure } from "../../src/ports/engine.ts";
import type { ToolOutcome } from "../../src/ports/tools.ts";
import { scriptedEngine, type ScriptedStep } from "../../src/testing/scripted-engine.ts";
import { startFakeModelServer } from "../support/engine/fake-model-server/server.ts";
import { value } from "../support/result.ts";
import { plantedProject } from "../support/team/planted-project.ts";
import { eventually } from "../support/team/running-project.ts";

/** One that only the environment tells, and two that only their shape tells: in an error, and in a file that is read. */
const OF_ENVIRONMENT = "correct horse battery staple 42";
const OF_ERROR = "ghp_0123456789abcdefghijABCDEFGHIJ456789";
const OF_FILE = "sk-ant-api03-9876543210zyxwvutsrqponm";
const SECRETS = [OF_ENVIRONMENT, OF_ERROR, OF_FILE];
const ALL = `it is ${OF_ENVIRONMENT}, or ${OF_ERROR}, or\nsays "${OF_FILE}"`;
const LONG = `${"word ".repeat(10_000)}${ALL}`;

const files = (modelUrl: string) => ({
  ".agents/alice.yaml": 'name: alice\nbackend: mock\nprompt: { system: Tell. }\ntools: ["*", feedback_submit]\n',
  ".agents/erna.yaml": "name: erna\nbackend: mock\nprompt: { system: Fail. }\n",
  ".agents/sam.yaml": [
    "name: sam",
    "model: fake-model",
    `provider: { name: anthropic, base_url: "${modelUrl}/v1", api_key: $SHOP_API_KEY }`,
    "prompt: { system: Read. }",
    "permissions: { mode: host, allow: ['bash(cat *)'] }",
    "",
  ].join("\n"),
  ".workflows/ship.yaml": [
    "name: ship",
    "agents:",
    "  alice: { ref: alice }",
    "  bob: { backend: mock, prompt: { system: Wait. } }",
    "workspace: { provider: file, documentOwner: bob }",
    "params: { password: { type: string } }",
    "setup:",
    "  - { shell: cat secret.txt, as: found }",
    "kickoff: '@alice ${{ found }} and ${{ params.password }}'",
    "",
  ].join("\n"),
  "secret.txt": ALL,
});

/** Each tool that keeps what it is given, with the secrets in every text it takes. */
const TOLD: Readonly<Record<string, unknown>> = {
  channel_send: { message: LONG },
  my_status_set: { task: ALL, state: ALL },
  team_doc_suggest: { content: ALL, file: "notes.md", note: ALL },
  resource_create: { content: LONG },
  proposal_create: { type: "decision", title: ALL, options: [`a ${ALL}`, "b"] },
  memory_store: { content: ALL },
  note_add: { text: ALL, title: "what I found" },
  todo_add: { text: `see ${OF_FILE}` },
  feedback_submit: { type: "idea", description: ALL },
  bash: { command: "cat secret.txt" },
};

/** Alice of the workspace says it with every tool and then runs into a bug; erna's engine fails; the others just say it. */
async function tellEverything({ agent, number, call, spec }: ScriptedStep, outcomes: Outcomes) {
  if (agent === "erna") throw new EngineFailure("permanent", `the server said: ${ALL}`);
  if (agent !== "alice" || spec.tools.list().every(({ name }) => name !== "team_doc_suggest")) return ALL;
  if (number > 1) throw new Error(`a bug of ours: ${ALL}`);
  for (const [tool, args] of Object.entries(TOLD)) {
    const outcome = await call(tool, args);
    // What she is told later brings her back, perhaps when the workspace is closing: the first time counts.
    if (!outcomes.has(tool)) outcomes.set(tool, outcome);
  }
  return { more: true } as const;
}

type Outcomes = Map<string, ToolOutcome>;

describe("what is written to the disk", () => {
  it("holds no secret of the environment, of a tool's output or of an error (F25) [security.redaction]", async () => {
    await using model = await startFakeModelServer(({ messages }) =>
      JSON.stringify(messages).includes("battery staple")
        ? { text: `I found ${ALL}` }
        : { toolCalls: [{ name: "bash", args: { command: "cat secret.txt" } }] },
    );
    using folder = plantedProject();
    const project = join(folder.root, "project");
    const home = join(folder.root, "home");
    const given = files(model.url);
    for (const [path, text] of Object.entries(given)) folder.plant(`project/${path}`, text);
    const env = {
      PATH: process.env["PATH"],
      HOME: folder.root,
      SHOP_API_KEY: OF_ENVIRONMENT,
    };
    const outcomes: Outcomes = new Map();
    {
      await using daemon = await openDaemon({
        trustsAll: true,
        home,
        projectDir: project,
        env,
        engines: new Map([["mock", scriptedEngine((step) => tellEverything(step, outcomes))]]),
        logLevel: "debug",
      });
      using client = await createClient({ home });
      value(await client.serve({ workflow: "ship", params: { password: ALL }, message: ALL, until: "started" }));
      value(await client.call("send-message", { to: "alice", message: ALL, idempotencyKey: "once" }));
      value(await client.serve({ agent: "sam", message: "what does the file say?" }));
      value(await client.serve({ agent: "erna", message: "try" }));
      await tellAsPerson(client);
      await eventually("what cannot be answered is given up", async () => {
        const { deliveries } = value(await client.call("list-dead-letters", {}));
        return deliveries.length >= 2;
      });
      await fetch(`${daemon.url}/send?message=${encodeURIComponent(ALL)}`, {
        method: "POST",
        headers: { authorization: `Bearer ${daemon.token}`, "content-type": "application/json" },
        body: JSON.stringify({ to: ALL, message: ALL }),
      });
      value(await client.call("close-workspace", { target: "@ship", reason: ALL }));
    }

    expect([...outcomes].filter(([, outcome]) => outcome.kind !== "result" || outcome.isError)).toEqual([]);
    expect(outcomes.get("bash"), "the model sees what is there").toMatchObject({ content: ALL });

    const written = filesBelow(folder.root).filter((path) => !Object.hasOwn(given, path.replace(/^project\//, "")));
    const holding = written.filter((path) => holdsSecret(readFileSync(join(folder.root, path), "utf8")));
    expect(rowsWithSecrets(join(project, ".workspace/agent-worker.db"))).toEqual([]);
    expect(holding, "files with a secret").toEqual([]);

    // And they are where secrets would have been: nothing was lost but the secrets themselves.
    const redacted = written.filter((path) => readFileSync(join(folder.root, path), "utf8").includes("[redacted]"));
    for (const kind of [
      /agent-worker\.db$/,
      /daemon\.log$/,
      /ship\/main\/channel\.md$/,
      /ship\/main\/.*notes\.md$/,
      /alice\/memory\//,
      /alice\/notes\//,
      /alice\/todo/,
      /alice\/conversations\//,
    ]) {
      expect(
        redacted.some((path) => kind.test(path)),
        `${kind} among ${redacted.join(", ")}`,
      ).toBe(true);
    }
  });
});

async function tellAsPerson(client: Client): Promise<void> {
  const target = "@ship";
  value(await client.call("send-message", { to: target, message: ALL }));
  value(await client.call("write-document", { target, file: "notes.md", content: ALL }));
  value(await client.call("append-document", { target, file: "notes.md", content: ALL }));
  value(await client.call("create-document", { target, file: "more.md", content: ALL }));
  value(await client.call("set-memory", { agent: "alice", key: "found", value: ALL }));
  value(await client.call("add-note", { agent: "alice", text: ALL }));
  value(await client.call("add-todo", { agent: "alice", text: `not ${OF_ERROR}` }));
  value(await client.call("set-schedule", { target: "alice", wakeup: "5h", prompt: ALL }));
  const { suggestions } = value(await client.call("list-suggestions", { target }));
  for (const { id } of suggestions) value(await client.call("reject-suggestion", { id, reason: ALL }));
  const { ballots } = value(await client.call("list-ballots", { target }));
  for (const { id } of ballots) value(await client.call("cancel-ballot", { id }));
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    statSync(join(folder, path)).isFile(),
  );
}

function holdsSecret(text: string): boolean {
  return SECRETS.some((secret) => text.includes(secret) || text.includes(Buffer.from(secret).toString("base64")));
}

/** A long text may be in pieces in the file of a database, so its rows are looked at as well. */
function rowsWithSecrets(file: string): string[] {
  using db = new DatabaseSync(file, { readOnly: true });
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  return tables.flatMap(({ name }) => {
    const rows = db.prepare(`SELECT * FROM "${String(name)}"`).all();
    return rows
      .filter((row) => holdsSecret(Object.values(row).join("\n")))
      .map((row) => `${String(name)}: ${JSON.stringify(row).slice(0, 300)}`);
  });
}
