import { mkdirSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Permissions } from "../../../src/domain/agent/definition.ts";
import { pathPrivacy } from "../../../src/domain/agent/private-paths.ts";
import { claudeCall } from "../../../src/engines/cli/claude/claude-call.ts";
import { decideCall } from "../../../src/engines/shared/program-call.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const decide = async (tool: string, input: Record<string, unknown>, permissions?: Permissions, cwd = "/project") =>
  decideCall(
    permissions,
    claudeCall(tool, input),
    cwd,
    pathPrivacy({ own: ".agents/alice", others: ["people/carol"] }),
  );

describe("a call a program asks about", () => {
  it.each<[string, Record<string, unknown>, Permissions | undefined, string]>([
    ["Bash", { command: "git push" }, undefined, "ask"],
    ["Bash", { command: "git push" }, { mode: "host" }, "ask"],
    ["Bash", { command: "git push" }, { mode: "virtual" }, "deny"],
    ["Bash", { command: "git push" }, { mode: "virtual", ask: ["bash(git *)"] }, "ask"],
    ["Bash", { command: "git push" }, { mode: "virtual", allow: ["bash(git *)"] }, "allow"],
    ["Bash", { command: "git push" }, { mode: "virtual", allow: ["*"] }, "deny"],
    ["Bash", { command: "git push" }, { allow: ["*"] }, "ask"],
    ["Bash", { command: "git push" }, { mode: "host", allow: ["*"] }, "allow"],
    ["Bash", { command: "git status; rm x" }, { allow: ["bash(git *)"] }, "ask"],
    ["Bash", { command: "sh -c 'rm x'" }, { allow: ["bash"], deny: ["bash(rm *)"] }, "deny"],
    ["Bash", {}, { allow: ["bash(git *)"] }, "ask"],
    ["Write", { file_path: "/project/src/a.ts" }, { allow: ["write_file(src/**)"] }, "allow"],
    ["Edit", { file_path: "src/../../etc/passwd" }, { allow: ["write_file(src/**)"] }, "ask"],
    ["NotebookEdit", { notebook_path: "/project/src/a" }, { allow: ["write_file(src/**)"] }, "allow"],
    ["Read", { file_path: "/etc/hosts" }, undefined, "ask"],
    ["Read", { file_path: "/project/.env" }, { deny: ["read_file(.env)"] }, "deny"],
    ["Grep", { pattern: "x" }, { allow: ["list_files"] }, "allow"],
    ["WebFetch", { url: "http://x" }, { allow: ["WebFetch"] }, "allow"],
    ["WebFetch", { url: "http://x" }, undefined, "ask"],
    ["Read", { file_path: "/project/.env" }, { mode: "host", allow: ["*"] }, "deny"],
    ["Read", { file_path: "/home/me/.ssh/config" }, { mode: "host", allow: ["*"] }, "deny"],
    ["Read", { file_path: "people/carol/memory/a.md" }, { allow: ["read_file"] }, "deny"],
    ["Read", { file_path: ".agents/alice/memory/a.md" }, { allow: ["read_file"] }, "allow"],
    ["Bash", { command: "cat .agents/bob/memory/a.md" }, { allow: ["bash(cat *)"] }, "ask"],
    ["Write", { file_path: "/project/.claude/settings.json" }, { allow: ["write_file"] }, "ask"],
    ["Edit", { file_path: "vendor/.git/hooks/x" }, { mode: "host", allow: ["*"] }, "ask"],
  ])("%s %j under %j: %s", async (tool, input, permissions, expected) => {
    expect((await decide(tool, input, permissions)).decision).toBe(expected);
  });

  it("is about the place a path leads to, not about how it is written", async () => {
    using folder = temporaryFolder();
    mkdirSync(folder.in("project/src"), { recursive: true });
    mkdirSync(folder.in("elsewhere"));
    symlinkSync(folder.in("elsewhere"), folder.in("project/src/out"));
    symlinkSync(folder.in("project"), folder.in("link"));
    const rules = { allow: ["write_file(src/**)"] };
    const at = (path: string) => decide("Write", { file_path: folder.in(path) }, rules, folder.in("link"));
    expect(await at("project/src/new/a.ts")).toEqual({ decision: "allow" });
    expect(await at("link/src/a.ts")).toEqual({ decision: "allow" });
    expect(await at("project/src/out/a.ts")).toEqual({ decision: "ask" });
  });

  it("is refused with the reason and a way out", async () => {
    expect(await decide("Bash", { command: "rm x" }, { deny: ["bash(rm *)"] })).toEqual({
      decision: "deny",
      reason: 'Not allowed: "bash(rm *)" is denied to this agent.',
    });
    expect(await decide("Bash", { command: "ls" }, { mode: "virtual" })).toEqual({
      decision: "deny",
      reason: expect.stringMatching(/^Not allowed: bash\(ls\).*mode: host to be asked\.$/),
    });
  });
});
