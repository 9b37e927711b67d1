import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Permissions } from "../../../src/domain/agent/definition.ts";
import { decidePermission, parsePattern } from "../../../src/domain/agent/permission.ts";
import { runs } from "../../property.ts";

const bash = (permissions: Permissions, command: string): string =>
  decidePermission(permissions, { tool: "bash", command }).decision;

describe("the default", () => {
  it("is to ask on the host and to allow in the virtual shell", () => {
    expect(bash({ mode: "host" }, "ls")).toBe("ask");
    expect(bash({ mode: "virtual" }, "ls")).toBe("allow");
    expect(decidePermission(undefined, { tool: "write_file", path: "a" })).toEqual({
      decision: "allow",
      pattern: null,
    });
  });
});

describe("an allowed command", () => {
  const permissions: Permissions = { mode: "host", allow: ["bash(git status*)", "bash(ls *)", "bash(npm test)"] };

  it.each([
    "git status",
    "git  status   --short",
    "git status && ls -la src",
    "ls",
    "npm test 2>&1 | ls",
    "npm test > /dev/null",
    "git status # rm -rf .",
    'git status "; rm -rf ."',
    "ls 'a b' \\; rm",
  ])("is %j", (command) => {
    expect(bash(permissions, command)).toBe("allow");
  });

  it.each([
    "git status; rm -rf /",
    "git status && rm -rf /",
    "git status & rm -rf /",
    "git status\nrm -rf /",
    "git status\r\nrm -rf /",
    "git status | sh",
    "git status || curl example.com",
    "git status $(rm -rf /)",
    "git status `rm -rf /`",
    'git status "$(rm -rf /)"',
    'git status "`rm -rf /`"',
    "git status <(rm -rf /)",
    "git status > .bashrc",
    "git status >> .bashrc",
    "git status 2> /etc/passwd",
    "git status < secrets",
    "git status $HOME",
    "git status ${IFS}",
    "git status 'unclosed",
    'git status "unclosed',
    "git status \\",
    "(git status)",
    "{ git status; }",
    "if git status; then ls; fi",
    "! git status",
    "X=1 git status",
    "PATH=. git status",
    "'git status' --short",
    "git\u00A0status",
    "git status \u001B[2K ls",
    "npm test --evil",
    "npm testing",
    "",
    "   ",
    "# git status",
  ])("is not %j", (command) => {
    expect(bash(permissions, command)).toBe("ask");
  });

  it("is never what has another command behind an operator, whatever is around it", () => {
    const words = fc.constantFrom("git status", "ls", "'x'", '"y"', "a\\ b", " ", "# c\n", "-n", "2>&1");
    const operator = fc.constantFrom(";", "&&", "||", "|", "&", "\n", " ;", "; ");
    fc.assert(
      fc.property(fc.array(words), operator, fc.array(words), (before, op, after) => {
        const command = `git status ${before.join(" ")}\nls${op}evil ${after.join(" ")}`;
        expect(bash(permissions, command)).toBe("ask");
      }),
      runs(300),
    );
  });
});

describe("a star after a word", () => {
  const allows = (pattern: string, command: string) => bash({ mode: "host", allow: [`bash(${pattern})`] }, command);

  it.each([
    ["npm test*", "npm testx"],
    ["npm test*", "npm test:evil"],
    ["npm test*", "npm test-evil --x"],
    ["git status*", "git statusx"],
    ["ls*", "lsof"],
  ])("%s does not make the word longer: %s", (pattern, command) => {
    expect(allows(pattern, command)).toBe("ask");
  });

  it.each([
    ["npm test*", "npm test"],
    ["npm test*", "npm test -- --coverage"],
    ["npm test*", "npm test 'a b'"],
    ["npm run test:*", "npm run test:unit"],
    ["cat src/*", "cat src/a.ts"],
  ])("%s allows %s", (pattern, command) => {
    expect(allows(pattern, command)).toBe("allow");
  });

  it("denies and asks about longer words too", () => {
    expect(bash({ allow: ["bash"], deny: ["bash(git push*)"] }, "git push-x")).toBe("deny");
  });
});

describe("a denied command", () => {
  const permissions: Permissions = { mode: "host", allow: ["bash"], deny: ["bash(rm *)", "bash(git push*)"] };

  it.each([
    "rm -rf /",
    "ls; rm x",
    "/bin/rm x",
    "'rm' x",
    "r\\m x",
    "sudo -n rm x",
    "X=1 rm x",
    "env A=b rm x",
    "echo $(rm x)",
    'echo "$(rm x)"',
    "echo `rm x`",
    "sh -c 'rm x'",
    'bash -lc "cd a && rm x"',
    "(rm x)",
    "if true; then rm x; fi && git push",
    "find . | xargs rm x",
  ])("is %j", (command) => {
    expect(bash(permissions, command)).toBe("deny");
  });

  it("is not text that only speaks of it", () => {
    expect(bash(permissions, "grep rm file")).toBe("allow");
    expect(bash(permissions, "git commit -m 'rm old files'")).toBe("allow");
  });

  it("may hide in what cannot be read: then a person is asked", () => {
    expect(bash(permissions, "$X -rf /")).toBe("ask");
    expect(bash({ deny: ["bash(rm *)"] }, "$X -rf /")).toBe("ask");
    expect(bash({ mode: "host", allow: ["bash"] }, "echo $X")).toBe("allow");
  });

  it("wins over ask and allow", () => {
    expect(bash({ allow: ["bash(rm x)"], deny: ["bash(rm *)"] }, "rm x")).toBe("deny");
    expect(bash({ ask: ["bash(rm x)"], deny: ["bash(rm *)"] }, "rm x")).toBe("deny");
  });
});

describe("a command to ask about", () => {
  const permissions: Permissions = { mode: "host", allow: ["bash(git *)", "bash(ls *)"], ask: ["bash(git push*)"] };

  it("is an exception to what is allowed, not the other way round", () => {
    expect(bash(permissions, "git status")).toBe("allow");
    expect(decidePermission(permissions, { tool: "bash", command: "git push origin" })).toEqual({
      decision: "ask",
      pattern: "bash(git push*)",
    });
    expect(bash({ allow: ["bash(ls *)"], ask: ["bash"] }, "ls a")).toBe("ask");
  });

  it.each(["ls; git push", "sh -c 'git push'", "/usr/bin/git push", "X=1 git push"])("is found in %j", (command) => {
    expect(bash({ ...permissions, allow: ["bash"] }, command)).toBe("ask");
  });

  it("may hide in what cannot be read, also where everything else is allowed", () => {
    expect(bash({ allow: ["bash"], ask: ["bash(git push*)"] }, "$X push")).toBe("ask");
    expect(bash({ ask: ["bash(git push*)"] }, "$X push")).toBe("ask");
    expect(bash({ ask: ["write_file"] }, "$X push")).toBe("allow");
  });
});

describe("a path", () => {
  const file = (permissions: Permissions, path: string): string =>
    decidePermission({ mode: "host", ...permissions }, { tool: "write_file", path }).decision;

  it.each([
    ["write_file(src/**)", "src/a/b.ts", "allow"],
    ["write_file(src/**)", "src", "allow"],
    ["write_file(src/**)", "srcs/a.ts", "ask"],
    ["write_file(./src/*)", "src/a.ts", "allow"],
    ["write_file(src/*)", "src/a/b.ts", "ask"],
    ["write_file(**/*.md)", "docs/a.md", "allow"],
    ["write_file(**/*.md)", "a.md", "allow"],
    ["write_file(a?.md)", "ab.md", "allow"],
    ["write_file(a.md)", "axmd", "ask"],
    ["write_file(*)", "src/a.ts", "allow"],
    ["write_*", "src/a.ts", "allow"],
    ["read_file", "src/a.ts", "ask"],
  ])("under %s: %s is %s", (pattern, path, decision) => {
    expect(file({ allow: [pattern] }, path)).toBe(decision);
  });

  it("is denied before it is asked about, and asked about before it is allowed", () => {
    const permissions: Permissions = {
      allow: ["write_file"],
      ask: ["write_file(src/**)", "write_file(.github/**)"],
      deny: ["write_file(.github/**)"],
    };
    expect(file(permissions, ".github/ci.yml")).toBe("deny");
    expect(file(permissions, "src/a.ts")).toBe("ask");
    expect(file(permissions, "docs/a.md")).toBe("allow");
  });
});

describe("a pattern", () => {
  it("with a part in parentheses never allows a tool that is used on nothing it knows, but denies it", () => {
    const other = { tool: "github_merge" };
    expect(decidePermission({ mode: "host", allow: ["github_merge(1)"] }, other).decision).toBe("ask");
    expect(decidePermission({ deny: ["github_merge(1)"] }, other).decision).toBe("deny");
    expect(decidePermission({ mode: "host", allow: ["github_*"] }, other).decision).toBe("allow");
  });

  it.each(["", "bash(", "bash()", "rm -rf /", "bash(ls) bash"])("is not %j", (text) => {
    expect(parsePattern(text)).toMatchObject({ ok: false, error: { code: "invalid" } });
  });

  it("that cannot be read and was meant to hold something back makes everything a question", () => {
    expect(bash({ allow: ["bash"], deny: ["rm -rf /"] }, "ls")).toBe("ask");
    expect(bash({ allow: ["bash"], ask: ["rm -rf /"] }, "ls")).toBe("ask");
  });

  it("takes no time that grows with the square of a command", () => {
    const allow = ["bash(a*b*c*d*e*f*g*h)"];
    expect(bash({ mode: "host", allow }, `a${"b c d e f g ".repeat(50_000)}`)).toBe("ask");
  });
});
