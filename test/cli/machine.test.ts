import { chmodSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { commandFolder } from "../support/daemon/installed-command.ts";

const NOBODY = '#!/bin/sh\ncase "$1" in --version) echo "opencode 1.18.2 (abc)";; *) echo "0 credentials";; esac\n';

describe("agent-worker backends", () => {
  it("[engine.available] finds programs with their version and login, and says the next step for the others", async () => {
    using folder = commandFolder({ "bin/opencode": NOBODY });
    chmodSync(folder.in("bin/opencode"), 0o755);
    const engines = async (PATH: string): Promise<Map<string, unknown>> => {
      const { exit, out, err } = await folder.run(["backends", "--json"], { env: { PATH } });
      expect({ exit, err }).toEqual({ exit: 0, err: "" });
      const found = (JSON.parse(out) as { engines: { name: string }[] }).engines;
      return new Map(found.map((engine) => [engine.name, engine]));
    };
    const there = await engines(`${folder.in("bin")}:/bin:/usr/bin`);
    expect(there.get("opencode")).toEqual({
      name: "opencode",
      program: "opencode",
      found: true,
      path: folder.in("bin/opencode"),
      version: "1.18.2",
      login: "no",
      next: "Log in with: opencode auth login",
    });
    expect(there.get("mock")).toMatchObject({ found: true, login: "yes", next: null });
    const none = await engines("bin:/nowhere");
    for (const name of ["claude", "codex", "opencode", "cursor"]) {
      expect(none.get(name)).toMatchObject({ found: false, path: null, next: expect.stringMatching(/install/i) });
    }
    expect((await folder.run(["backends"], { env: { PATH: "/nowhere" } })).out).toMatch(/^opencode +not installed/m);
  });
});

describe("agent-worker providers", () => {
  it("[engine.providers] tells which are installed and have a key, and never the key", async () => {
    using folder = commandFolder();
    const env = { OPENAI_API_KEY: "sk-test-not-a-key", GROQ_API_KEY: "" };
    const { exit, out, err } = await folder.run(["providers", "--json"], { env });
    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    const { providers } = JSON.parse(out) as { providers: { name: string }[] };
    expect(out).not.toContain("sk-test");
    expect(providers.find(({ name }) => name === "openai")).toEqual({
      name: "openai",
      package: "@ai-sdk/openai",
      installed: true,
      place: "program",
      keys: [{ variable: "OPENAI_API_KEY", set: true }],
      needsBaseUrl: false,
      defaultModel: expect.any(String),
      ready: true,
    });
    expect(providers.find(({ name }) => name === "anthropic")).toMatchObject({ installed: true, ready: false });
    expect(providers.find(({ name }) => name === "groq")).toMatchObject({ keys: [{ set: false }], ready: false });
    const text = (await folder.run(["providers"], { env })).out;
    expect(text).toMatch(/^openai +ready, OPENAI_API_KEY /m);
    expect(text).toMatch(/^anthropic +no key +\S+ +agent-worker login anthropic$/m);
    expect(text).toMatch(/^groq +not installed, no key +\S+ +agent-worker providers add groq$/m);
    expect(text).not.toContain("No provider has a key yet.");
    expect((await folder.run(["providers"], { env: { PATH: "/nowhere" } })).out).toContain(
      "\nNo provider has a key yet. Keep one with: agent-worker login anthropic\n",
    );
    expect(text).not.toContain("sk-test");
  });

  it("[cli.errors] takes no words", async () => {
    using folder = commandFolder();
    expect(await folder.run(["providers", "all"])).toMatchObject({ exit: 2, out: "" });
    expect(await folder.run(["backends", "all"])).toMatchObject({ exit: 2, out: "" });
  });
});
