import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../src/contract/operations.ts";
import { startCommandedDaemon, type CommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import { commandFolder } from "../support/daemon/installed-command.ts";
import { agentFile, TEAM } from "../support/team/team.ts";

const DATABASE = ".workspace/agent-worker.db";
const SECRETS = { TEAM_API_KEY: "correct-horse-battery", DB_PASSWORD: "staple-staple" };

let daemon: CommandedDaemon;
beforeAll(async () => {
  daemon = await startCommandedDaemon({
    files: { ...TEAM, ...agentFile("sleeper", "model: sleep.yaml\n"), ...OTHERS },
    env: SECRETS,
  });
});
afterAll(async () => daemon[Symbol.asyncDispose]());

const OTHERS = {
  "sleep.yaml": '- repeat: true\n  steps:\n    - delay: 1h\n    - say: ""\n',
  ".agents/dora.yaml": "name: [dora\n",
  ".workflows/ship.yaml": "name: ship\nagents: {{\n",
};

const call = (name: string, data: unknown): Promise<unknown> => daemon.json(["call", name, JSON.stringify(data)]);

async function inboxOf(target: string): Promise<string[]> {
  const { deliveries } = (await call("read-inbox", { target })) as {
    readonly deliveries: readonly { readonly message: { readonly content: string } }[];
  };
  return deliveries.map(({ message }) => message.content);
}

describe("agent-worker call", () => {
  it("lists the operations without opening anything, and can call each of them", async () => {
    using folder = commandFolder(TEAM);
    const { exit, out, err } = await folder.run(["call", "--json"]);
    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    expect(JSON.parse(out)).toEqual(operations.map(({ name, summary }) => ({ name, summary })));
    expect((await folder.run(["call"])).out).toContain("send-message\n  Send a message");
    expect(existsSync(folder.in(".workspace"))).toBe(false);
  });

  it("sends a message that the next process finds, from an argument or from standard input", async () => {
    expect(await call("send-message", { to: "sleeper", message: "first" })).toMatchObject({
      id: expect.stringMatching(/^msg_/),
      space: "sleeper",
      recipients: [{ agent: "sleeper", lane: "immediate" }],
      duplicate: false,
    });
    const input = `\uFEFF${JSON.stringify({ to: "sleeper", message: "zwei, äöü 😀\n@bob" })}\n`;
    const piped = await daemon.run(["call", "send-message", "-"], { input });
    expect(piped).toMatchObject({ exit: 0, err: "" });
    expect(JSON.parse(piped.out)).toMatchObject({ space: "sleeper" });
    expect(await inboxOf("sleeper")).toEqual(["first", "zwei, äöü 😀\n@bob"]);
  });

  it("[cli.project] works on another project than the current one", async () => {
    for (const [path, text] of Object.entries(TEAM)) daemon.write(`nested/team/${path}`, text);
    const args = ["call", "send-message", `{"to":"bob","message":"hi"}`, "--project", "nested/team"];
    expect(await daemon.run(args)).toMatchObject({ exit: 0 });
    expect(existsSync(join(daemon.project, "nested/team", DATABASE))).toBe(true);
    expect(await daemon.run(["call", "list-agents", "{}", "--project", "nowhere"])).toMatchObject({
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
      says: /^Error: JSON is not valid: .+\nUsage: agent-worker call /,
    },
    {
      what: "input of another shape",
      args: ["send-message", `{"to":"alice"}`],
      exit: 2,
      says: /send-message: .*"message"/,
    },
    { what: "a field nobody knows", args: ["list-agents", `{"x":1}`], exit: 2, says: /"x"/ },
    { what: "JSON that is no object", args: ["send-message", "7"], exit: 2, says: /JSON must be an object/ },
    { what: "too many arguments", args: ["send-message", "{", "}"], exit: 2, says: /Quote a text of several words/ },
  ])("[cli.errors] refuses $what with exit code $exit, and says what to do", async ({ args, exit, says }) => {
    expect(await daemon.run(["call", ...args])).toEqual({ exit, out: "", err: expect.stringMatching(says) });
  });

  it("[cli.errors] tells programs the same in one shape, with a code", async () => {
    const errorOf = async (...args: string[]): Promise<unknown> => {
      const { out, err } = await daemon.run(["call", ...args, "--json"]);
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

  it("goes on with what is sound when other files of the project are broken, and says what is broken with them", async () => {
    expect(await daemon.run(["call", "open-workspace", `{"workflow":"ship"}`])).toEqual({
      exit: 2,
      out: "",
      err: expect.stringMatching(/^Error: The workflow "ship" cannot be used\.\n.*\.workflows\/ship\.yaml:\d+: .+\n$/),
    });
    expect(await call("list-agents", {})).toMatchObject({ problems: expect.arrayContaining([expect.anything()]) });
  });

  it("[cli.errors] leaves a database of a newer program alone", async () => {
    for (const [path, text] of Object.entries(TEAM)) daemon.write(`newer/${path}`, text);
    const file = join(daemon.project, "newer", DATABASE);
    daemon.write(`newer/${DATABASE}`, "");
    const database = new DatabaseSync(file);
    database.exec(
      "CREATE TABLE migration (number INTEGER PRIMARY KEY, name TEXT, checksum TEXT, applied_at INTEGER); " +
        "INSERT INTO migration VALUES (999, 'later', 'x', 0)",
    );
    database.close();
    const before = readFileSync(file);
    expect(await daemon.run(["call", "send-message", `{"to":"alice","message":"lost"}`, "--project", "newer"])).toEqual(
      {
        exit: 3,
        out: "",
        err: expect.stringMatching(
          /^Error: The database was made by a newer agent-worker \(schema 999, .+\n.*Update.+\n$/,
        ),
      },
    );
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it("[message.redacted] stores no secret of the environment", async () => {
    const message = "the key is correct-horse-battery and the password staple-staple";
    await call("send-message", { to: "sleeper", message });
    const stored = (await inboxOf("sleeper")).at(-1);
    expect(stored).toMatch(/^the key is \S+ and the password \S+$/);
    for (const folder of [daemon.project, daemon.home]) {
      for (const name of readdirSync(folder, { recursive: true, withFileTypes: true })) {
        if (!name.isFile()) continue;
        const content = readFileSync(`${name.parentPath}/${name.name}`, "latin1");
        for (const secret of Object.values(SECRETS)) expect(content.includes(secret), name.name).toBe(false);
      }
    }
  });
});
