import { describe, expect, it } from "vitest";
import { startsOtherProgram } from "../../../src/domain/agent/program-options.ts";

const starts = (pattern: string, command: string): boolean => startsOtherProgram(pattern, command.split(" "));

describe("a command that a pattern allows", () => {
  it.each([
    ["npm test*", "npm test --script-shell=./x"],
    ["npm test*", "npm test --script-sh=./x"],
    ["npm test*", "npm test -- --require ./x"],
    ["npm *", "npm exec x"],
    ["npm *", "/usr/bin/npm -c x"],
    ["git *", "git -c core.pager=./x log"],
    ["git *", "git -ccore.pager=./x log"],
    ["git *", "git config alias.x !y"],
    ["git *", "git submodule foreach ./x"],
    ["find *", "find . -exec ./x"],
    ["tar *", "tar -I./x -cf a b"],
    ["make *", "make SHELL=./x"],
    ["go test*", "go test -exec ./x"],
    ["env *", "env ./x"],
    ["xargs*", "xargs ./x"],
    ["sh *", "sh ./x"],
    ["sed *", "sed 1ex"],
  ])("by %s starts another program: %s [permission.no-other-program]", (pattern, command) => {
    expect(starts(pattern, command)).toBe(true);
  });

  it.each([
    ["npm test*", "npm test -- --reporter=dot --coverage"],
    ["npm test --prefix *", "npm test --prefix web"],
    ["git *", "git log --oneline --stat -p"],
    ["git config *", "git config user.name"],
    ["git *", "git commit -m x --no-edit"],
    ["git *", "git push -u origin main --force"],
    ["find *", "find . -name x -type f"],
    ["make *", "make build"],
    ["xargs rm *", "xargs rm -f"],
    ["sh scripts/*", "sh scripts/build.sh"],
    ["env", "env"],
  ])("by %s does not: %s", (pattern, command) => {
    expect(starts(pattern, command)).toBe(false);
  });
});
