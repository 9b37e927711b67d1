import { writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { afterEach, expect } from "vitest";
import { commandFolder, type CommandFolder } from "../daemon/installed-command.ts";
import type { FakeScript, RecordedRequest } from "../engine/fake-model-server/script.ts";
import { startFakeModelServer } from "../engine/fake-model-server/server.ts";

/** An image of one point. */
export const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const PROVIDERS = {
  anthropic: "anthropic",
  "openai-responses": "openai",
  "openai-chat": "openai-compatible",
} as const;

export type Wire = keyof typeof PROVIDERS;

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each[Symbol.asyncDispose]();
});

/** A project with an agent that sees and one that does not, a picture, and a daemon in a process of its own. */
export async function imageProject(wire: Wire, script: FakeScript) {
  const model = await startFakeModelServer(script);
  open.push(model);
  const folder = commandFolder({
    ".agents/eye.yaml": [
      "name: eye",
      "model: fake-model",
      `provider: { name: ${PROVIDERS[wire]}, base_url: "${model.url}/v1", api_key: $FAKE_KEY }`,
      "prompt: { system: You look at images. }",
      "",
    ].join("\n"),
    ".agents/blind.yaml": "name: blind\nbackend: mock\nmodel: blind.yaml\nprompt: { system: You read. }\n",
    "blind.yaml": "- repeat: true\n  steps:\n    - say: I read it.\n",
    "text.png": "This is no image.",
  });
  writeFileSync(folder.in("picture.png"), Buffer.from(PIXEL, "base64"));
  writeFileSync(folder.in("picture.txt"), Buffer.from(PIXEL, "base64"));
  const env = {
    HOME: folder.path,
    AGENT_WORKER_HOME: folder.in("home"),
    AGENT_WORKER_PORT: "0",
    FAKE_KEY: "sk-test-0123456789abcdef",
  };
  const run: CommandFolder["run"] = (args, options = {}) => folder.run(args, { ...options, env });
  open.push({
    async [Symbol.asyncDispose]() {
      await run(["daemon", "stop"]);
      folder[Symbol.dispose]();
    },
  });
  return { model, folder, env, run };
}

/** How often a text is in a request. */
export function count(text: string, { body }: RecordedRequest): number {
  return JSON.stringify(body).split(text).length - 1;
}

/** The image as the protocol of the provider writes it. */
export const WRITTEN: Readonly<Record<Wire, object>> = {
  anthropic: { type: "image", source: { type: "base64", media_type: "image/png", data: PIXEL } },
  "openai-responses": { type: "input_image", image_url: `data:image/png;base64,${PIXEL}` },
  "openai-chat": { type: "image_url", image_url: { url: `data:image/png;base64,${PIXEL}` } },
};

/** The parts of the message that has the prompt. */
export function parts({ body }: RecordedRequest): readonly object[] {
  const { messages, input } = body as { messages?: Said[]; input?: Said[] };
  const user = (messages ?? input ?? []).find(({ role }) => role === "user");
  return Array.isArray(user?.content) ? user.content : [];
}

interface Said {
  readonly role: string;
  readonly content: string | object[];
}

const LOOKS_TWICE: FakeScript = [{ toolCalls: [{ name: "my_todos", args: {} }] }, { text: "It is one point." }];

/** Sends an image and looks at what the model gets, in both calls of the run, and what the store holds. */
export async function expectShown(wire: Wire): Promise<void> {
  const { model, folder, run } = await imageProject(wire, LOOKS_TWICE);
  const sent = await run(["send", "eye", "What is it?", "--file", "picture.png", "--wait"]);
  expect(sent).toMatchObject({ exit: 0, out: expect.stringContaining("It is one point.") });
  expect(model.requests).toHaveLength(2);
  for (const request of model.requests) {
    expect(count(PIXEL, request)).toBe(1);
    expect(parts(request)[1]).toMatchObject(WRITTEN[wire]);
    expect(count("image/png, 70 bytes: image 1 below", request)).toBe(1);
  }
  await run(["daemon", "stop"]);
  expect(rowsWith(folder, PIXEL)).toEqual(["resource.content"]);
  const prompt = await run(["runs", "show", await lastRun(run), "--prompt"]);
  expect(prompt.out).toContain("What is it?");
}

export async function lastRun(run: CommandFolder["run"]): Promise<string> {
  const listed = JSON.parse((await run(["runs", "list", "--json"])).out) as { runs: { id: string }[] };
  return listed.runs[0]?.id ?? "";
}

/** The columns of the store that contain a text, each as often as it has it. */
function rowsWith(folder: CommandFolder, text: string): string[] {
  using db = new DatabaseSync(folder.in(".workspace/agent-worker.db"), { readOnly: true });
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all() as { name: string }[];
  return tables.flatMap(({ name }) =>
    db
      .prepare(`SELECT * FROM "${name}"`)
      .all()
      .flatMap((row) => Object.entries(row))
      .filter(([, value]) => typeof value === "string" && value.includes(text))
      .map(([column]) => `${name}.${column}`),
  );
}

export function fail(): never {
  throw new Error("There is no such request.");
}
