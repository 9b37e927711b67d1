import { expect, it } from "vitest";
import { callRequest, rulesFor } from "../../../src/domain/approval/call-rule.ts";

const ruleOf = (tool: string, args: unknown, permissions = {}) =>
  rulesFor({ mode: "host", ...permissions }, callRequest(tool, args));

it("[ui.approve-scope] the rule for a call names each simple command, or the file, and nothing more", () => {
  expect(ruleOf("bash", { command: "npm test && git  status -s" })).toMatchObject({
    value: ["bash(npm test)", "bash(git status -s)"],
  });
  expect(ruleOf("write_file", { path: "src/a.ts", content: "x" })).toMatchObject({ value: ["write_file(src/a.ts)"] });
  expect(ruleOf("github_issue", { title: "x" })).toMatchObject({ value: ["github_issue"] });
});

it("[ui.approve-scope] no rule is written for what it could not name exactly, or what another rule denies", () => {
  for (const command of ["rm *", "echo $(date)", "cat < file", ""]) {
    expect(ruleOf("bash", { command }), command).toMatchObject({ ok: false });
  }
  expect(ruleOf("bash", { command: "git push" }, { ask: ["bash(git push*)"] })).toMatchObject({ ok: false });
  expect(ruleOf("bash", { command: "git push" }, { deny: ["bash"] })).toMatchObject({ ok: false });
});
