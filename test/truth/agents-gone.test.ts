import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import { startInstalled } from "../support/daemon/running-command.ts";
import { startFakeModelServer, type FakeModelServer } from "../support/engine/fake-model-server/server.ts";
import { eventually } from "../support/team/running-project.ts";

const SECRET = "the word is marzipan";
const ALICE = 'model: anthropic/fake\nprompt: { system: "You are Alice." }\n';

let model: FakeModelServer;
let daemon: CommandedDaemon;
/** While it is set, the model goes on calling a tool, and each answer waits for it. */
let busy: Promise<void> | undefined;
beforeAll(async () => {
  model = await startFakeModelServer(async (request) => {
    if (busy === undefined || !JSON.stringify(request.messages).includes("work on")) return { text: "Fine." };
    await busy;
    return { toolCalls: [{ name: "my_inbox", args: {} }] };
  });
  daemon = await startCommandedDaemon({
    files: { ".agents/alice.yaml": ALICE },
    env: { ANTHROPIC_API_KEY: "sk-test-0123456789abcdef", ANTHROPIC_BASE_URL: `${model.url}/v1` },
  });
});
afterAll(async () => {
  await daemon[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

const lastRequest = (): string => JSON.stringify(model.requests.at(-1));
const ask = async (agent: string, text: string): Promise<void> => {
  expect(await daemon.run(["send", agent, text, "--wait"])).toMatchObject({ exit: 0 });
};
const make = async (name: string): Promise<void> => {
  expect(await daemon.run(["new", name, "-m", "anthropic/fake", "-s", "You are a bot."])).toMatchObject({ exit: 0 });
};

describe("an agent made for now", () => {
  it("is only in memory, and an agent that gets its name begins empty [ephemeral.forgotten]", async () => {
    await make("eph");
    await ask("eph", SECRET);
    await ask("eph", "and again");
    expect(lastRequest()).toContain(SECRET);
    expect(filesWith(daemon.project, SECRET)).toEqual([]);
    expect(await daemon.run(["agent", "delete", "eph", "--yes"])).toMatchObject({ exit: 0 });
    expect(await daemon.run(["peek", "eph"])).toMatchObject({ exit: 3 });
    await make("eph");
    await ask("eph", "who are you?");
    expect(lastRequest()).not.toContain(SECRET);
    expect((await daemon.run(["peek", "eph"])).out).not.toContain(SECRET);
  });

  it("takes its conversation along when it is kept under a name [ephemeral.promoted]", async () => {
    await make("draft");
    await ask("draft", SECRET);
    expect(await daemon.run(["agent", "create", "kept", "--from", "draft"])).toMatchObject({ exit: 0 });
    expect((await daemon.run(["peek", "kept"])).out).toMatch(/marzipan[^]*kept[^]*Fine/);
    expect(await daemon.run(["peek", "draft"])).toMatchObject({ exit: 3 });
    await ask("kept", "what was the word?");
    expect(lastRequest()).toContain(SECRET);
    const remembered = join(daemon.project, ".agents/kept");
    await eventually("its files have the conversation", () => filesWith(remembered, SECRET).length > 0);
  });
});

describe("deleting an agent that works", () => {
  it("is refused in a script without a yes, then stops it, settles its work and leaves nothing to a namesake [agent.delete-working]", async () => {
    await ask("alice", SECRET);
    const release = Promise.withResolvers<void>();
    busy = release.promise;
    const before = model.requests.length;
    await using waiting = startInstalled(["send", "alice", "work on it", "--wait"], {
      cwd: daemon.project,
      env: daemon.env,
    });
    await eventually("the model is asked", () => model.requests.length > before);
    const refused = await daemon.run(["agent", "delete", "alice"]);
    expect(refused).toMatchObject({ exit: 3, err: expect.stringContaining("It is at work: 1 message") });
    expect(await daemon.run(["agent", "delete", "alice", "--yes"])).toMatchObject({ exit: 0 });
    expect(await waiting.ended).toMatchObject({ exit: 1 });
    const asked = model.requests.length;
    release.resolve();
    expect(await daemon.run(["peek", "alice"])).toMatchObject({ exit: 3 });
    expect((await daemon.run(["dead", "list"])).out).toContain("The agent was deleted");
    daemon.write(".agents/alice.yaml", ALICE);
    await ask("alice", "hello");
    expect(model.requests.length).toBe(asked + 1);
    expect(lastRequest()).not.toContain(SECRET);
  });
});

describe("an agent whose file is gone while it works", () => {
  it("is listed with its work, and can be stopped by its name [agent.removed-working]", async () => {
    daemon.write(".agents/gone.yaml", ALICE);
    const release = Promise.withResolvers<void>();
    busy = release.promise;
    const before = model.requests.length;
    await using waiting = startInstalled(["send", "gone", "work on it", "--wait"], {
      cwd: daemon.project,
      env: daemon.env,
    });
    await eventually("the model is asked", () => model.requests.length > before);
    rmSync(join(daemon.project, ".agents/gone.yaml"));
    await eventually("ls shows it", async () => /^gone +removed +running/m.test((await daemon.run(["ls"])).out));
    expect(await daemon.run(["stop", "gone"])).toMatchObject({ exit: 0 });
    expect(await waiting.ended).toMatchObject({ exit: 1 });
    release.resolve();
    busy = undefined;
  });
});

describe("a dead letter of a deleted agent", () => {
  it("is not given to nobody, and not to a namesake [dead.namesake]", async () => {
    await make("twin");
    const release = Promise.withResolvers<void>();
    busy = release.promise;
    const before = model.requests.length;
    await daemon.run(["send", "twin", "work on it"]);
    await eventually("the model is asked", () => model.requests.length > before);
    expect(await daemon.run(["agent", "delete", "twin", "--yes"])).toMatchObject({ exit: 0 });
    release.resolve();
    busy = undefined;
    const { deliveries } = (await daemon.json(["dead", "list", "--agent", "twin"])) as { deliveries: { id: string }[] };
    const id = deliveries[0]?.id ?? "none";
    const nobody = await daemon.run(["dead", "retry", id]);
    expect(nobody).toMatchObject({ exit: 3, err: expect.stringContaining("twin cannot answer it.") });
    await make("twin");
    const namesake = await daemon.run(["dead", "retry", id]);
    expect(namesake).toMatchObject({ exit: 3, err: expect.stringContaining("an earlier agent called twin") });
    expect((await daemon.run(["peek", "twin"])).out).toBe("");
  });
});

/** Files below the folder that contain the text. */
function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => readFileSync(path).includes(text));
}
