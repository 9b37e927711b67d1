import { execFileSync } from "node:child_process";
import { chownSync, mkdirSync, renameSync, symlinkSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readDiscovery } from "../../src/client/discovery.ts";
import { discovery, DISCOVERY_FILE } from "../../src/contract/service/discovery.ts";
import { runs } from "../property.ts";
import { register, registration } from "../support/daemon/registration.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

describe("daemon.json as a client reads it (F12)", () => {
  it("is a claim when it is whole, ours and private", () => {
    using home = temporaryFolder();
    expect(readDiscovery(home.path)).toEqual({ state: "absent" });
    expect(readDiscovery(home.in("nowhere"))).toEqual({ state: "absent" });
    register(home.path, registration());
    expect(readDiscovery(home.path)).toEqual({ state: "claimed", daemon: registration() });
  });

  const whole = JSON.stringify(registration());
  const spoil: readonly (readonly [string, string, (home: string) => void])[] = [
    ["empty", "cut off", (home) => register(home, "")],
    ["truncated", "cut off", (home) => register(home, whole.slice(0, whole.length / 2))],
    ["another file", "does not describe", (home) => register(home, "[1, 2]")],
    ["without a token", "does not describe", (home) => register(home, JSON.stringify({ ...registration(), token: 1 }))],
    ["readable by others", "mode 0644", (home) => register(home, whole, 0o644)],
    ["readable by the group", "mode 0640", (home) => register(home, whole, 0o640)],
    ["far too large", "too large", (home) => register(home, whole + " ".repeat(100_000))],
    [
      "a symbolic link",
      "symbolic link",
      (home) => {
        register(home, whole);
        renameSync(`${home}/daemon.json`, `${home}/elsewhere.json`);
        symlinkSync(`${home}/elsewhere.json`, `${home}/daemon.json`);
      },
    ],
    ["a folder", "not a plain file", (home) => mkdirSync(`${home}/daemon.json`)],
    [
      "a pipe, which must not be waited for",
      "not a plain file",
      (home) => void execFileSync("mkfifo", [`${home}/daemon.json`]),
    ],
  ];
  it.each(spoil)("is no claim when it is %s [daemon.stale-discovery]", (_what, reason, make) => {
    using home = temporaryFolder();
    make(home.path);
    expect(readDiscovery(home.path)).toEqual({ state: "unusable", reason: expect.stringContaining(reason) });
  });

  it.skipIf(process.getuid?.() !== 0)("is no claim when it belongs to another user (only root can try)", () => {
    using home = temporaryFolder();
    register(home.path, registration());
    chownSync(home.in("daemon.json"), 12_345, 12_345);
    expect(readDiscovery(home.path)).toMatchObject({
      state: "unusable",
      reason: expect.stringContaining("another user"),
    });
  });

  it("is read without loading the schema, and never takes what the schema refuses", () => {
    expect(DISCOVERY_FILE).toBe("daemon.json");
    const odd = fc.oneof(
      fc.constantFrom(undefined, null, 0, -1, 1.5, 70_000, "", true, [], "\r\nx: y"),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(registration())), odd, (field, value) => {
        using home = temporaryFolder();
        const given: unknown = { ...registration(), [field]: value };
        register(home.path, JSON.stringify(given));
        const read = readDiscovery(home.path);
        if (read.state === "claimed" && field !== "startedAt") discovery.parse(read.daemon);
      }),
      runs(150),
    );
  });
});
