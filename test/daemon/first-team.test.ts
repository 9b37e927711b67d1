import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startTestDaemon } from "../support/daemon/daemon.ts";
import { value } from "../support/result.ts";
import { eventually } from "../support/team/running-project.ts";

const AT_REST = { env: { AGENT_WORKER_TRUST: "" } };
const WITH_SHELL = "backend: mock\nprompt: { system: Hello. }\npermissions: { mode: host, allow: [bash] }\n";

describe("a first team, made through the daemon", () => {
  test("[ui.first-run] an empty folder gets a team from a template, is trusted by that, and works", async () => {
    await using daemon = await startTestDaemon(AT_REST);
    const { client } = daemon;
    const setup = value(await client.call("show-setup", {}));
    expect(setup.isEmpty).toBe(true);
    expect(setup.templates.map(({ name }) => name)).toContain("review");
    expect(setup.engines.at(-1)).toEqual({ engine: "mock" });
    expect(await client.call("create-team", { team: "none", engine: "mock" })).toMatchObject({
      error: { code: "not_found" },
    });
    const made = value(await client.call("create-team", { team: "hello", engine: "mock" }));
    expect(made).toMatchObject({ team: "hello", workflow: "hello", agent: "alice" });
    expect(made.files).toContain(".agents/alice.yaml");
    await eventually("it is trusted", async () => {
      const trust = await client.call("show-trust", {});
      return trust.ok && trust.value.kind === "trusted";
    });
    await eventually(
      "it takes messages",
      async () => (await client.call("send-message", { to: "alice", message: "hi" })).ok,
    );
    expect(await client.call("create-team", { team: "hello", engine: "mock" })).toMatchObject({
      error: { code: "conflict" },
    });
  });

  test("[ui.first-run] a model that cannot be one is refused before anything is written", async () => {
    await using daemon = await startTestDaemon(AT_REST);
    const { client } = daemon;
    const made = await client.call("create-team", { team: "hello", engine: "sdk", model: "nonsense" });
    expect(made).toMatchObject({
      ok: false,
      error: { code: "invalid", message: 'The model "nonsense" names no provider.' },
    });
    expect(existsSync(join(daemon.project, ".agents"))).toBe(false);
    expect(value(await client.call("show-setup", {})).isEmpty).toBe(true);
    const own = { team: "hello", engine: "sdk", model: "nonsense", baseUrl: "http://127.0.0.1:9/v1" } as const;
    expect(value(await client.call("create-team", own)).agent).toBe("alice");
  });

  test("[ui.first-run] a team does not trust what somebody else left in the folder", async () => {
    await using daemon = await startTestDaemon({ ...AT_REST, files: { ".agents/ann.yaml": WITH_SHELL } });
    const made = await daemon.client.call("create-team", { team: "hello", engine: "mock" });
    expect(made).toMatchObject({ ok: false, error: { code: "untrusted" } });
    expect(value(await daemon.client.call("show-trust", {})).kind).toBe("unknown");
  });

  test("[ui.first-run] a key is kept in the home for its owner alone, and no answer ever holds it", async () => {
    await using daemon = await startTestDaemon(AT_REST);
    const { client, home } = daemon;
    const key = "sk-ant-a-key-of-this-test-0123456789";
    expect(value(await client.call("store-key", { provider: "anthropic", value: key }))).toEqual({
      provider: "anthropic",
      place: "file",
    });
    expect(statSync(join(home, "keys.json")).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(home, "keys.json"), "utf8")).toContain(key);
    const setup = value(await client.call("show-setup", {}));
    expect(setup.providers.find(({ name }) => name === "anthropic")).toMatchObject({ ready: true });
    expect(JSON.stringify(setup)).not.toContain(key);
    expect(readFileSync(join(home, "logs/daemon.log"), "utf8")).not.toContain(key);
    expect(await client.call("store-key", { provider: "openai", value: "two words" })).toMatchObject({ ok: false });
    expect(await client.call("store-key", { provider: "nobody", value: key })).toMatchObject({
      error: { code: "not_found" },
    });
    value(await client.call("remove-key", { provider: "anthropic" }));
    expect(readFileSync(join(home, "keys.json"), "utf8")).not.toContain(key);
    const { findings } = value(await client.call("list-findings", {}));
    expect(findings.map(({ check }) => check)).toEqual(expect.arrayContaining(["node", "daemon", "project"]));
  });

  test("[ui.first-run] the demo is a project of its own, at work without a question", async () => {
    await using daemon = await startTestDaemon(AT_REST);
    const demo = value(await daemon.client.call("open-demo", {}));
    expect(demo.workflow).toBe("review");
    expect(value(await daemon.client.call("open-demo", {}))).toEqual(demo);
    const client = await daemon.clientFor(demo.project);
    const done = value(await client.serve({ workflow: demo.workflow }));
    expect(done).toMatchObject({ outcome: "answered" });
  });

  test("[definition.consent] an edit is consent to what it adds, and not to what was there before", async () => {
    await using daemon = await startTestDaemon({
      ...AT_REST,
      files: { ".agents/ann.yaml": "backend: mock\nprompt: { system: Hello. }\n" },
    });
    const { client } = daemon;
    value(await client.call("grant-trust", {}));
    await eventually(
      "it takes messages",
      async () => (await client.call("send-message", { to: "ann", message: "a" })).ok,
    );
    const unseen = async () =>
      value(await client.call("show-trust", {}))
        .abilities.filter(({ seen }) => !seen)
        .map(({ text }) => text);
    const edit = async (change: (text: string) => string) => {
      const file = ".agents/ann.yaml";
      const { text, revision } = value(await client.call("read-definition-file", { file }));
      return client.call("write-definition-file", { file, text: change(text), revision });
    };
    value(await edit((text) => `${text}permissions: { mode: host, allow: [bash] }\n`));
    expect(await unseen()).toEqual([]);
    // Somebody else changes the file; then the person edits the prompt only.
    daemon.write(".agents/ann.yaml", `${WITH_SHELL.replace("[bash]", "[bash, write_file]")}env: { A: $SECRET_A }\n`);
    await eventually("the change was noticed", async () => (await unseen()).length > 0);
    const before = await unseen();
    value(await edit((text) => text.replace("Hello.", "Be short.")));
    expect(await unseen()).toEqual(before);
  });
});
