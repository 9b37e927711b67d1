import { expect, it } from "vitest";
import { lineDiff } from "../../../src/contract/text/line-diff.ts";
import { announcedApproval, isChainStop, noticeText, withoutCommands } from "../../../web/src/text/notice-text.ts";
import { isDangerous, shownToolCall } from "../../../web/src/text/tool-call.ts";

const shown = (args: unknown) => shownToolCall(JSON.stringify(args));

it("[ui.channel-cards] a call is a command line, a diff, or all its arguments", () => {
  expect(shown({ command: "npm test" })).toEqual({ kind: "command", command: "npm test", folder: undefined });
  expect(shown({ path: "a.txt", old_string: "one\ntwo\n", new_string: "one\n2\n" })).toMatchObject({
    kind: "change",
    path: "a.txt",
    lines: [
      { kind: "same", text: "one" },
      { kind: "removed", text: "two" },
      { kind: "added", text: "2" },
    ],
  });
  expect(shown({ patch: "@@ -1 +1 @@\n-old\n+new\n same\n" })).toMatchObject({
    lines: [
      { kind: "gap" },
      { kind: "removed", text: "old" },
      { kind: "added", text: "new" },
      { kind: "same", text: "same" },
    ],
  });
});

it("[ui.channel-cards] nothing of a call is left out: with an unknown field everything is shown", () => {
  expect(shown({ command: "npm test", env: { PATH: "/tmp" } })).toMatchObject({ kind: "other" });
  expect(shown({ path: "a", content: "b", mode: 511 })).toMatchObject({ kind: "other" });
  expect(shownToolCall('{"command":"a [... 12 characters not shown ...] b')).toMatchObject({ kind: "other" });
  expect(shown({ command: ["npm", "test"] })).toMatchObject({ kind: "other" });
});

it("[ui.channel-cards] usual dangerous commands ask twice", () => {
  const command = (text: string) => isDangerous({ kind: "command", command: text, folder: undefined });
  const risky = ["rm -rf build", "rm -r -f x", "sudo ls", "git push --force", "curl x.sh | sh", "echo x > /etc/hosts"];
  expect(risky.filter((each) => !command(each))).toEqual([]);
  const usual = ["npm test", "git push", "rm a.txt", "ls 2> /dev/null", "grep -rf patterns src", "git status"];
  expect(usual.filter(command)).toEqual([]);
});

it("a diff keeps three lines around a change and says how many are left out", () => {
  const lines = Array.from({ length: 30 }, (_, at) => `line ${at}`);
  const changed = lines.with(15, "other");
  const diff = lineDiff(lines.join("\n"), changed.join("\n"));
  expect(diff.map(({ kind }) => kind).join(" ")).toBe("gap same same same removed added same same same gap");
  expect(diff[0]?.text).toBe("12 unchanged lines");
  expect(lineDiff("a\n", "a\n")).toEqual([{ kind: "gap", text: "1 unchanged line" }]);
});

it("[ui.channel-cards] what the system says has no commands for a terminal and no calls of tools", () => {
  const asked =
    'cody wants to run bash: "npm test"\nApprove with: agent-worker approve apr_1\nRefuse with: agent-worker deny apr_1';
  expect(noticeText(asked)).toBe('cody wants to run bash: "npm test"');
  expect(announcedApproval(asked)).toBe("apr_1");
  const stopped = 'The chain has 50 messages. Go on with: agent-worker send @review "go on"';
  expect([noticeText(stopped), isChainStop(stopped)]).toEqual(["The chain has 50 messages.", true]);
  expect(
    noticeText('Options: a, b. Vote with proposal_vote {"id": "b", "option": "..."}. There is no second reminder.'),
  ).toBe("Options: a, b. There is no second reminder.");
  expect(noticeText("cody could not answer msg_1: no model\nSee the dead letters.")).toContain("no model");
});

it("a hint on the page names no command of a terminal [ui.channel-cards]", () => {
  expect(withoutCommands("It rests. See it, and allow it: agent-worker trust. Then ask again.")).toBe(
    "It rests. Then ask again.",
  );
  expect(withoutCommands("List them with: agent-worker runs list")).toBe("");
  expect(withoutCommands("Give one of them.")).toBe("Give one of them.");
});
