import { existsSync, readdirSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { operations } from "../../src/operations/registry.ts";
import { commandFolder, type CommandFolder, type RunOptions } from "../support/installed-command.ts";
import { spawnSupport } from "../support/spawned.ts";
import { TEAM } from "../support/team.ts";

const DATABASE = ".workspace/agent-worker.db";

/** Calls an operation and reads the answer of a program. */
async function call(folder: CommandFolder, name: string, data: unknown, options?: RunOptions): Promise<unknown> {
  const { exit, out, err } = await folder.run(["call", name, JSON.stringify(data), "--json"], options);
  expect({ exit, err }).toEqual({ exit: 0, err: "" });
  return JSON.parse(out);
}

async function inboxOf(folder: CommandFolder, target: string): Promise<string[]> {
  const { deliveries } = (await call(folder, "read-inbox", { target })) as {
    readonly deliveries: readonly { readonly message: { readonly content: string } }[];
  };
  return deliveries.map(({ message }) => message.content);
}

describe("agent-worker call", () => {
  it("lists the operations without opening anything", async () => {
    using folder = commandFolder(TEAM);
    const { exit, out, err } = await folder.run(["call", "--json"]);
    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    expect(JSON.parse(out)).toEqual(operations.map(({ name, summary }) => ({ name, summary })));
    expect((await folder.run(["call"])).out).toContain("send-message\n  Send a message");
    expect(existsSync(folder.in(".workspace"))).toBe(false);
  });

  it("sends a message that the next process finds, from an argument or from standard input", async () => {
    using folder = commandFolder(TEAM);
    expect(await call(folder, "send-message", { to: "alice", message: "first" })).toMatchObject({
      id: expect.stringMatching(/^msg_/),
      space: "alice",
      recipients: [{ agent: "alice", lane: "immediate" }],
      duplicate: false,
    });
    const input = `\uFEFF${JSON.stringify({ to: "alice", message: "zwei, äöü 😀\n@bob" })}\n`;
    const piped = await folder.run(["call", "send-message", "-"], { input });
    expect(piped).toMatchObject({ exit: 0, err: "" });
    expect(JSON.parse(piped.out)).toMatchObject({ space: "alice" });
    expect(await inboxOf(folder, "alice")).toEqual(["first", "zwei, äöü 😀\n@bob"]);
  });

  it("[cli.project] works on another project than the current one", async () => {
    using folder = commandFolder(
      Object.fromEntries(Object.entries(TEAM).map(([path, text]) => [`team/${path}`, text])),
    );
    const args = ["call", "send-message", `{"to":"bob","message":"hi"}`, "--project", "team"];
    expect(await folder.run(args)).toMatchObject({ exit: 0 });
    expect(readdirSync(folder.path).sort()).toEqual(["team"]);
    expect(existsSync(folder.in(`team/${DATABASE}`))).toBe(true);
    expect(await folder.run(["call", "list-agents", "{}", "--project", "nowhere"])).toMatchObject({
      exit: 2,
      err: expect.stringContaining("There is no folder"),
    });
  });

  it.each([
    {
      what: "an agent nobody knows",
      args: ["send-message", `{"to":"alcie","message":"x"}`],
      exit: 3,
      says: /^Error: There is no agent called "alcie"\.\nDid you mean "alice"\?/,
    },
    {
      what: "a workflow that is not running",
      args: ["send-message", `{"to":"alice@review","message":"x"}`],
      exit: 3,
      says: /^Error: workflow "review" is not running\.\nStart it with: /,
    },
    {
      what: "an operation that does not exist",
      args: ["snd-message", "{}"],
      exit: 3,
      says: /^Error: There is no operation "snd-message"\.\nDid you mean "send-message"\?/,
    },
    {
      what: "text that is not JSON",
      args: ["send-message", "{to: alice}"],
      exit: 2,
      says: /^Error: The argument is not JSON: .+\nUsage: agent-worker call /,
    },
    {
      what: "input of another shape",
      args: ["send-message", `{"to":"alice"}`],
      exit: 2,
      says: /send-message: .*"message"/,
    },
    { what: "JSON that is no object", args: ["send-message", "7"], exit: 2, says: /send-message: .*object/ },
    { what: "too many arguments", args: ["send-message", "{", "}"], exit: 2, says: /quote the JSON/ },
  ])("[cli.errors] refuses $what with exit code $exit, and says what to do", async ({ args, exit, says }) => {
    using folder = commandFolder(TEAM);
    const answer = await folder.run(["call", ...args]);
    expect(answer).toEqual({ exit, out: "", err: expect.stringMatching(says) });
  });

  it("[cli.errors] tells programs the same in one shape, with a code", async () => {
    using folder = commandFolder(TEAM);
    const errorOf = async (...args: string[]): Promise<unknown> => {
      const { out, err } = await folder.run(["call", ...args, "--json"]);
      expect(err).toBe("");
      return (JSON.parse(out) as { readonly error: unknown }).error;
    };
    expect(await errorOf("send-message", `{"to":"alcie","message":"x"}`)).toMatchObject({
      code: "not_found",
      message: 'There is no agent called "alcie".',
      hint: expect.stringContaining("alice"),
    });
    expect(await errorOf("send-message", "{")).toMatchObject({
      code: "invalid",
      hint: expect.stringMatching(/^Usage: /),
    });
  });

  it("[cli.errors] refuses to write to an agent that does not take part", async () => {
    using folder = commandFolder({
      ...TEAM,
      ".agents/dora.yaml": "name: dora\nbackend: mock\nprompt: { system: x }\n",
    });
    await call(folder, "open-workspace", { workflow: "review" });
    expect(await folder.run(["call", "send-message", `{"to":"dora@review","message":"x"}`])).toEqual({
      exit: 3,
      out: "",
      err: 'Error: dora is not a participant in workflow "review".\nAdd dora to .workflows/review.yaml first.\n',
    });
    expect(await call(folder, "peek-channel", { target: "@review" })).toMatchObject({ messages: [] });
  });

  it("[cli.errors] says so when another process has the project, and works when it is gone", async () => {
    using folder = commandFolder(TEAM);
    await call(folder, "send-message", { to: "alice", message: "before" });
    {
      await using holder = spawnSupport("store-process.ts", [folder.in(DATABASE)]);
      await holder.line("opened");
      const refused = await folder.run(["call", "send-message", `{"to":"alice","message":"during"}`]);
      expect(refused).toEqual({ exit: 3, out: "", err: expect.stringMatching(/^Error: Another .+\n.+\n$/) });
      const { out } = await folder.run(["call", "list-agents", "--json"]);
      expect(JSON.parse(out)).toMatchObject({ error: { code: "database_locked" } });
    }
    await call(folder, "send-message", { to: "alice", message: "after" });
    expect(await inboxOf(folder, "alice")).toEqual(["before", "after"]);
  });

  it("goes on with what is sound when other files of the project are broken, and says what is broken with them", async () => {
    using folder = commandFolder({
      ...TEAM,
      ".agents/dora.yaml": "name: [dora\n",
      ".workflows/ship.yaml": "name: ship\nagents: {{\n",
      "moniro.yaml": "stroe: {}\n",
    });
    await call(folder, "send-message", { to: "alice", message: "still here" });
    expect(await folder.run(["call", "open-workspace", `{"workflow":"ship"}`])).toEqual({
      exit: 3,
      out: "",
      err: expect.stringMatching(/^Error: There is no workflow called "ship"\.\n.*\.workflows\/ship\.yaml:\d+: .+\n$/),
    });
    await call(folder, "open-workspace", { workflow: "review" });
    expect(await inboxOf(folder, "alice")).toEqual(["still here"]);
  });

  it("[cli.errors] leaves a database of a newer program alone", async () => {
    using folder = commandFolder(TEAM);
    await call(folder, "send-message", { to: "alice", message: "kept" });
    const database = new DatabaseSync(folder.in(DATABASE));
    database.exec("INSERT INTO migration (number, name, checksum, applied_at) VALUES (999, 'later', 'x', 0)");
    database.close();
    const before = readFileSync(folder.in(DATABASE));
    expect(await folder.run(["call", "send-message", `{"to":"alice","message":"lost"}`])).toEqual({
      exit: 3,
      out: "",
      err: expect.stringMatching(
        /^Error: The database was made by a newer agent-worker \(schema 999, .+\n.*Update.+\n$/,
      ),
    });
    expect(readFileSync(folder.in(DATABASE)).equals(before)).toBe(true);
  });

  it("[message.redacted] stores no secret of the environment", async () => {
    using folder = commandFolder(TEAM);
    const env = { TEAM_API_KEY: "correct-horse-battery", DB_PASSWORD: "staple-staple" };
    const message = "the key is correct-horse-battery and the password staple-staple";
    await call(folder, "send-message", { to: "alice", message }, { env });
    const [stored] = await inboxOf(folder, "alice");
    expect(stored).toMatch(/^the key is \S+ and the password \S+$/);
    for (const name of readdirSync(folder.path, { recursive: true, withFileTypes: true })) {
      if (!name.isFile()) continue;
      const content = readFileSync(`${name.parentPath}/${name.name}`, "latin1");
      for (const secret of Object.values(env)) expect(content.includes(secret), name.name).toBe(false);
    }
  });
});
