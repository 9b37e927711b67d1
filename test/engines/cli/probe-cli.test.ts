import { describe, expect, it } from "vitest";
import { probeCli } from "../../../src/engines/cli/probe-cli.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { installProgram, plainDialect } from "../../support/engine/plain-cli.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const NEVER = new AbortController().signal;

async function probe(script: string | null, env: Readonly<Record<string, string>> = {}) {
  using folder = temporaryFolder();
  const PATH = script === null ? "/nonexistent" : installProgram(folder.path, "plain", script);
  const place = { clock: systemClock, env: { PATH, HOME: folder.path, ...env }, cwd: folder.path };
  return { ...(await probeCli(plainDialect, place, NEVER)), folder: folder.path };
}

describe("whether a command line can be used [engine.available]", () => {
  it("is seen from its version and its own word about the login", async () => {
    const script = `case "$1" in --version) echo "plain 1.2.3 (beta)";; status) echo "Logged in as zoë" >&2;; esac`;
    const { folder, ...found } = await probe(script);
    expect(found).toEqual({ program: `${folder}/bin/plain`, version: "1.2.3", login: "yes", advice: null });
  });

  it("says how to get it, and how to log in", async () => {
    expect(await probe(null)).toMatchObject({ program: null, version: null, advice: "Install it with: make plain." });
    const loggedOut = `case "$1" in --version) echo 1.0.0;; *) echo "logged out"; exit 1;; esac`;
    expect(await probe(loggedOut)).toMatchObject({ login: "no", advice: "Log in with: plain login." });
    expect(await probe(loggedOut, { PLAIN_KEY: "k" })).toMatchObject({ login: "yes", advice: null });
    expect(await probe("exit 1")).toMatchObject({ version: null, advice: expect.stringMatching(/does not start/) });
  });
});
