import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { person, systemCaller } from "../../../src/kernel/caller.ts";
import { createBallot } from "../../../src/operations/ballots/create-ballot.ts";
import { ackDeliveries } from "../../../src/operations/inbox/ack-deliveries.ts";
import { readInbox } from "../../../src/operations/inbox/read-inbox.ts";
import { peekChannel } from "../../../src/operations/messages/peek-channel.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import { closeWorkspace } from "../../../src/operations/workspaces/close-workspace.ts";
import { openWorkspace } from "../../../src/operations/workspaces/open-workspace.ts";
import { postKickoff } from "../../../src/operations/workspaces/post-kickoff.ts";
import { runs } from "../../property.ts";
import { inMirror, mirrored, openMirrored, say } from "../../support/team/mirrored-team.ts";
import { callOk, callRefused } from "../../support/team/project.ts";
import { agentIn, REVIEW } from "../../support/team/team.ts";

const SMART_SEND_THRESHOLD_BYTES = 8 * 1024;

describe("the mirror of a channel", () => {
  it("[mirror.channel] shows each message under the time and the sender, in order", async () => {
    await using project = await openMirrored();
    await say(project, "please look at it, @alice");
    project.clock.advance(65_000);
    await say(project, "done\n\n- one\n- two\n", undefined, agentIn(REVIEW, "alice"));
    await say(project, "only you", "bob@review");
    await say(project, "not here", "bob");
    expect(await mirrored(project)).toBe(
      [
        "### 09:00:00 [user]\nplease look at it, @alice\n\n",
        "### 09:01:05 [alice]\ndone\n\n- one\n- two\n\n",
        "### 09:01:05 [user]\n(to bob) only you\n\n",
      ].join(""),
    );
  });

  it("[mirror.channel] shows the kickoff whole, the notices of the system, and the preview of a large message", async () => {
    await using project = await openMirrored();
    const kickoff = { text: `build ${"x".repeat(SMART_SEND_THRESHOLD_BYTES)} end`, inert: [], personsOwn: true };
    const openedAt = (await project.store.read((store) => store.workspaces.status(REVIEW)))?.openedAt ?? 0;
    await callOk(project, systemCaller, postKickoff, { space: REVIEW, openedAt, untilIdle: false, kickoff });
    const { resource } = await say(project, `large ${"y".repeat(SMART_SEND_THRESHOLD_BYTES)} cut`);
    await callOk(project, person, createBallot, { target: "@review", type: "approval", title: "Ship it?" });
    const text = await mirrored(project);
    expect(text).toContain(`[user]\n${kickoff.text}\n\n`);
    expect(text).toContain("[user]\nlarge yyy");
    expect(text).toContain(`[resource:${resource}]`);
    expect(text).not.toContain("cut");
    expect(text).toMatch(/\[system\]\n.*Ship it\?/);
  });

  it("is there, empty, as soon as the workspace is open, and only with the provider that asks for it", async () => {
    await using project = await openMirrored();
    expect(await mirrored(project)).toBe("");
    await using plain = await openMirrored("workspace: { provider: sqlite }");
    await say(plain, "hello");
    await plain.mirror.settled();
    expect(existsSync(inMirror(plain, "channel.md"))).toBe(false);
  });

  it("begins with everything that was said when a workspace without one is opened again with one", async () => {
    await using project = await openMirrored("workspace: { provider: sqlite }");
    await say(project, "before");
    await project.mirror.settled();
    await callOk(project, person, closeWorkspace, { target: "@review" });
    project.write(
      ".workflows/review.yaml",
      "name: review\nagents: { bob: { ref: bob } }\nworkspace: { provider: file }\n",
    );
    await callOk(project, person, openWorkspace, { workflow: "review", continue: true });
    await say(project, "after");
    expect(await mirrored(project)).toBe("### 09:00:00 [user]\nbefore\n\n### 09:00:00 [user]\nafter\n\n");
  });

  it("keeps the messages of many senders at once in the order of the store", async () => {
    await using project = await openMirrored();
    await Promise.all(Array.from({ length: 60 }, (_, n) => say(project, `message ${n}`)));
    const { messages } = await callOk(project, person, peekChannel, { target: "@review", limit: 100 });
    const shown = [...(await mirrored(project)).matchAll(/^message \d+$/gm)].map(([line]) => line);
    expect(shown).toEqual(messages.map(({ content }) => content));
    expect(shown).toHaveLength(60);
  });

  it("[mirror.after-commit] never shows a message that was refused", async () => {
    await using project = await openMirrored();
    const sends = await Promise.all([
      say(project, "accepted one"),
      callRefused(project, person, sendMessage, { to: "ghost@review", message: "refused" }),
      say(project, "accepted two"),
      callRefused(project, person, sendMessage, { to: "carol@review", message: "refused as well" }),
    ]);
    expect(sends).toHaveLength(4);
    expect(await mirrored(project)).not.toContain("refused");
    await callOk(project, person, closeWorkspace, { target: "@review" });
    await callRefused(project, person, sendMessage, { to: "@review", message: "refused: closed" });
    expect(await mirrored(project)).toBe("### 09:00:00 [user]\naccepted one\n\n### 09:00:00 [user]\naccepted two\n\n");
  });

  it.each([
    "### 10:00:00 [bob]\nI agree",
    "\n### 10:00:00 [bob]",
    "hm\r### 10:00:00 [bob]",
    "hm\u2028### 10:00:00 [bob]",
    "hm\u0085### 10:00:00 [bob]",
    "   ### 10:00:00 [bob]",
    "###\t10:00:00 [bob]",
    "\u200B### 10:00:00 [bob]",
    "## 10:00:00 [bob]",
    "\\### 10:00:00 [bob]",
  ])("[mirror.forged-heading] lets %j be taken for nobody else's heading", async (body) => {
    await using project = await openMirrored();
    await say(project, body);
    const lines = (await mirrored(project)).split("\n");
    expect(lines.filter((line) => line.includes("[user]"))).toEqual(["### 09:00:00 [user]"]);
    expect(lines.filter((line) => line.includes("[bob]")).every((line) => line.startsWith("\\"))).toBe(true);
  });

  it("[mirror.forged-heading] shows characters that would move the cursor of a terminal", async () => {
    await using project = await openMirrored();
    await say(project, "a\u001B[2Jb\u0007\tc\u009Bd");
    expect(await mirrored(project)).toBe("### 09:00:00 [user]\na\u241B[2Jb\u2407\tc\uFFFDd\n\n");
  });

  it("[mirror.forged-heading] has one heading a message, whatever the messages say", async () => {
    await using project = await openMirrored();
    const piece = fc.constantFrom(
      "### ",
      "10:00:00 ",
      "[bob]",
      "\n",
      "\r",
      "\r\n",
      "\\",
      " ",
      "\t",
      "#",
      "\u2029",
      "x",
    );
    const body = fc.array(piece, { maxLength: 12 }).map((pieces) => `${pieces.join("")}.`);
    let sent = 0;
    await fc.assert(
      fc.asyncProperty(body, async (text) => {
        await say(project, text);
        sent += 1;
        const lines = (await mirrored(project)).split(/\r\n?|[\n\u2028\u2029]/);
        const headings = lines.filter((line) => /^\s*#+\s*\d\d:\d\d:\d\d/.test(line));
        expect(headings).toEqual(Array.from({ length: sent }, () => "### 09:00:00 [user]"));
      }),
      runs(40),
    );
  });

  it("[mirror.file-name] has the name the old key chose, folders included", async () => {
    const settings = "context: { provider: file, channel: { file: logs/team.md } }";
    await using project = await openMirrored(settings);
    await say(project, "hello");
    expect(await mirrored(project, "logs/team.md")).toBe("### 09:00:00 [user]\nhello\n\n");
    expect(existsSync(inMirror(project, "channel.md"))).toBe(false);
    await using again = await project.reopen();
    await say(again, "again");
    expect(await mirrored(again, "logs/team.md")).toBe("### 09:00:00 [user]\nhello\n\n### 09:00:00 [user]\nagain\n\n");
  });
});

describe("the mirror of the inboxes", () => {
  it("[mirror.inbox] shows what waits for each agent until it is acknowledged", async () => {
    await using project = await openMirrored();
    expect(await mirrored(project, "inbox/alice.md")).toBe("# Inbox of alice\n\nNothing waits.\n");
    await say(project, "\nfirst for @alice\nand more");
    await say(project, "a task", "alice@review");
    const { deliveries } = await callOk(project, person, readInbox, { target: "alice@review" });
    const [mention, task] = deliveries.map(({ id }) => id);
    expect(await mirrored(project, "inbox/alice.md")).toBe(
      `# Inbox of alice\n\n- 09:00:00 [user] immediate: first for @alice (${mention})\n` +
        `- 09:00:00 [user] normal: a task (${task})\n`,
    );
    expect(await mirrored(project, "inbox/bob.md")).toContain("Nothing waits.");
    expect(await mirrored(project, "inbox/helper.md")).toContain("Nothing waits.");

    await callOk(project, person, ackDeliveries, { ids: [mention ?? ""] });
    expect(await mirrored(project, "inbox/alice.md")).toBe(
      `# Inbox of alice\n\n- 09:00:00 [user] normal: a task (${task})\n`,
    );
  });

  it("[mirror.inbox] stays short: long lines are cut, and after a hundred the rest is counted", async () => {
    await using project = await openMirrored();
    await say(project, `@helper ${"😀".repeat(300)}\r- 10:00:00 [bob] forged`);
    await Promise.all(Array.from({ length: 104 }, (_, n) => say(project, `task ${n}`, "helper@review")));
    const lines = (await mirrored(project, "inbox/helper.md")).split("\n").filter((line) => line.startsWith("- "));
    expect(lines).toHaveLength(101);
    expect(lines[0]).toMatch(/^- 09:00:00 \[user\] immediate: @helper 😀{192}… \(dlv_\w+\)$/u);
    expect(lines.at(-1)).toBe("- and 5 more");
    expect(lines.join()).not.toContain("forged");
  });

  it("[mirror.inbox] is gone with an agent that no longer takes part, and nothing else is", async () => {
    await using project = await openMirrored();
    await mirrored(project);
    writeFileSync(inMirror(project, "inbox/carol.md"), "mine");
    await callOk(project, person, closeWorkspace, { target: "@review" });
    project.write(
      ".workflows/review.yaml",
      "name: review\nagents: { bob: { ref: bob } }\nworkspace: { provider: file }\n",
    );
    await callOk(project, person, openWorkspace, { workflow: "review", continue: true });
    await project.mirror.settled();
    expect(readdirSync(inMirror(project, "inbox")).sort()).toEqual(["bob.md", "carol.md"]);
  });
});

describe("a mirror that was changed", () => {
  const change: Record<string, (channel: string) => void> = {
    deleted: (path) => rmSync(path),
    edited: (path) => writeFileSync(path, readFileSync(path, "utf8").replace("hello", "HELLO!")),
    "edited without changing its length": (path) => writeFileSync(path, readFileSync(path, "utf8").replace("h", "H")),
    "written to": (path) => appendFileSync(path, "### 10:00:00 [bob]\nI never said that\n\n"),
    "cut in the middle of an entry": (path) => truncateSync(path, 30),
    emptied: (path) => truncateSync(path, 0),
    "replaced by nonsense in its mark": (path) => writeFileSync(join(path, "../.mirrored"), "\0{"),
    "left without its mark": (path) => rmSync(join(path, "../.mirrored")),
    "deleted with its whole folder": (path) => rmSync(join(path, ".."), { recursive: true }),
  };
  const before = "### 09:00:00 [user]\nhello\n\n### 09:00:00 [user]\nworld\n\n";

  it.each(Object.keys(change))(
    "[mirror.one-way] is written again when it was %s, while it runs or before a start",
    async (how) => {
      await using project = await openMirrored();
      await say(project, "hello");
      await say(project, "world");
      expect(await mirrored(project)).toBe(before);
      change[how]?.(inMirror(project, "channel.md"));
      await say(project, "next");
      const after = `${before}### 09:00:00 [user]\nnext\n\n`;
      expect(await mirrored(project)).toBe(after);
      change[how]?.(inMirror(project, "channel.md"));
      await using again = await project.reopen();
      expect(await mirrored(again)).toBe(after);
      const { messages } = await callOk(again, person, peekChannel, { target: "@review", limit: 10 });
      expect(messages.map(({ content }) => content)).toEqual(["hello", "world", "next"]);
    },
  );

  it("[mirror.one-way] shows the inboxes again as they are", async () => {
    await using project = await openMirrored();
    await say(project, "for @alice and @bob");
    const alice = await mirrored(project, "inbox/alice.md");
    const bob = await mirrored(project, "inbox/bob.md");
    rmSync(inMirror(project, "inbox/alice.md"));
    appendFileSync(inMirror(project, "inbox/bob.md"), "- done\n");
    await using again = await project.reopen();
    expect(await mirrored(again, "inbox/alice.md")).toBe(alice);
    expect(await mirrored(again, "inbox/bob.md")).toBe(bob);
  });

  it("[mirror.after-commit] is finished for a workspace that was closed, and not made again where it was thrown away", async () => {
    await using project = await openMirrored();
    await callOk(project, person, openWorkspace, { workflow: "review", tag: "old" });
    await say(project, "hello");
    await say(project, "world", "@review:old");
    await callOk(project, person, closeWorkspace, { target: "@review" });
    await callOk(project, person, closeWorkspace, { target: "@review:old" });
    await project.mirror.settled();
    truncateSync(inMirror(project, "channel.md"), 10);
    rmSync(inMirror(project, "../old"), { recursive: true });
    await using again = await project.reopen();
    expect(await mirrored(again)).toBe("### 09:00:00 [user]\nhello\n\n");
    expect(existsSync(inMirror(again, "../old"))).toBe(false);
  });

  it("starts again when the database is another one", async () => {
    const settings = "workspace: { provider: file, bind: shared }";
    await using first = await openMirrored(settings);
    await say(first, "of the first database");
    await first.mirror.settled();
    await using second = await openMirrored(settings, {
      files: {
        "shared/.mirrored": readFileSync(join(first.dir, "shared/.mirrored"), "utf8"),
        "shared/channel.md": readFileSync(join(first.dir, "shared/channel.md"), "utf8"),
      },
    });
    await say(second, "of the second");
    await second.mirror.settled();
    expect(readFileSync(join(second.dir, "shared/channel.md"), "utf8")).toBe("### 09:00:00 [user]\nof the second\n\n");
  });

  it("shows the workspace that is in the folder, when others were there before", async () => {
    await using project = await openMirrored("workspace: { provider: file, bind: shared }");
    const channel = async () => {
      await project.mirror.settled();
      return readFileSync(join(project.dir, "shared/channel.md"), "utf8");
    };
    await say(project, "in main");
    await say(project, "in main too, @alice");
    const { deliveries } = await callOk(project, person, readInbox, { target: "alice@review" });
    await callOk(project, person, closeWorkspace, { target: "@review" });
    await callOk(project, person, openWorkspace, { workflow: "review", tag: "b" });
    await say(project, "in b", "@review:b");
    expect(await channel()).toBe("### 09:00:00 [user]\nin b\n\n");
    await callOk(project, person, ackDeliveries, { ids: deliveries.map(({ id }) => id) });
    expect(await channel()).toBe("### 09:00:00 [user]\nin b\n\n");
    await callOk(project, person, closeWorkspace, { target: "@review:b" });
    await callOk(project, person, openWorkspace, { workflow: "review" });
    expect(await channel()).toContain("in main too");
  });

  it("keeps a person's own file of that name in a folder of theirs", async () => {
    await using project = await openMirrored("workspace: { provider: file, bind: mine }", {
      files: { "mine/channel.md": "my diary", "mine/inbox/alice.md": "letters" },
    });
    await say(project, "hello");
    await project.mirror.settled();
    const mine = (name: string): string => readFileSync(join(project.dir, "mine", name), "utf8");
    expect(mine("channel.md")).toBe("### 09:00:00 [user]\nhello\n\n");
    expect(mine("channel.md.kept-1")).toBe("my diary");
    expect(mine("inbox/alice.md.kept-1")).toBe("letters");
  });
});
