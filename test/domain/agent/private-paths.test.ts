import { describe, expect, it } from "vitest";
import { pathPrivacy, privatePathIn } from "../../../src/domain/agent/private-paths.ts";

const privacy = pathPrivacy({ own: ".agents/alice", others: [".agents/bob", "people/carol", ".agents/alice/guest"] });

describe("a path", () => {
  it.each([
    ".env",
    "a/.env.local",
    ".ENV",
    ".e\u200Cnv",
    "x.pem",
    "deep/down/ID_RSA",
    ".ssh/known_hosts",
    "../home/.aws/credentials",
    ".agents/bob",
    ".agents/bob/memory/a.md",
    ".Agents/Bob/memory/a.md",
    ".agents/gone/notes/a.md",
    "copy/.agents/bob/memory/a.md",
    "people/carol",
    "people/carol/todo/a.md",
    ".agents/alice/guest/a.md",
    ".workspace/agent-worker.db",
    ".docker/config.json",
    "home/.config/gh/hosts.yml",
    ".config/gcloud/a/b",
    ".git/config",
    "prod.env",
    "a/service-account-1.json",
  ])("is private: %j [private.files]", (path) => {
    expect(privacy(path)).not.toBeNull();
  });

  it.each([
    ".",
    "src/env.ts",
    ".env.example",
    "keys/readme.md",
    "monkey",
    ".agents",
    ".agents/bob.yaml",
    ".agents/alice",
    ".agents/alice/memory/a.md",
    ".agents/skills/brewing/SKILL.md",
    "people/caroline/a.md",
    "people",
    ".docker/Dockerfile",
    ".config/other/a",
    ".git/HEAD",
    "config.json",
    "src/auth.json.ts",
    "src/environment.ts",
  ])("is not private: %j", (path) => {
    expect(privacy(path)).toBeNull();
  });

  it("in .agents/ is private to an agent that has no context", () => {
    expect(pathPrivacy({ own: null, others: [] })(".agents/alice/memory/a.md")).not.toBeNull();
  });
});

describe("the words of a command", () => {
  const find = (...words: string[]) => privatePathIn(words, (word) => [word], privacy)?.path ?? null;

  it.each([
    [["cat", ".env"], ".env"],
    [["docker", "--env-file=.env"], ".env"],
    [["git", "show", "HEAD:.env"], ".env"],
    [["curl", "-d", "@.npmrc"], ".npmrc"],
    [["cat", ".en*"], ".en*"],
    [["cat", "id_[r]sa"], "id_[r]sa"],
    [["cat", ".e?v"], ".e?v"],
    [["cat", ".en[v]"], ".en[v]"],
    [["cat", ".agents/*/memory/x"], ".agents/*/memory/x"],
  ])("%j name %s", (words, path) => {
    expect(find(...words)).toBe(path);
  });

  it.each([
    [["git", "commit", "-m", "fix .env loading"]],
    [["grep", "process.env", "src"]],
    [["ls", "*"]],
    [["cat", "src/*.ts"]],
    [["node", "-e", ""]],
  ])("%j name nothing private", (words) => {
    expect(find(...words)).toBeNull();
  });
});
