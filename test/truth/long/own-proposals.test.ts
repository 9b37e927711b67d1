import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../../support/daemon/commanded-daemon.ts";
import { proposalFile } from "../../support/team/own-proposals.ts";
import { agentFile, workflowFile } from "../../support/team/team.ts";
import { eventually } from "../../support/team/running-project.ts";

const COUNT = `
    const before = ((await ctx.state.get()) ?? 0) as number;
    await ctx.state.set(before + n);
    return { total: before + n, by: ctx.caller.name, space: ctx.space };`;

let daemon: CommandedDaemon;
beforeAll(async () => {
  daemon = await startCommandedDaemon({
    files: {
      ...agentFile("alice"),
      ...workflowFile("review", "agents: { alice: alice }\n"),
      ".agents/proposals/count.ts": proposalFile("count", COUNT),
      ".agents/proposals/fails.ts": proposalFile(
        "fails",
        `if (text === "throw") throw new Error("it is broken");
    if (text === "no") return refuse("conflict", "Not now.", { hint: "Tomorrow." });
    if (text === "late") void Promise.reject("nobody waits for this");
    if (text === "timer") setTimeout(() => { throw new Error("nobody catches this"); }, 1);
    if (text === "endless") await new Promise(() => {});
    if (text === "cycle") { const a: any = {}; a.a = a; return a; }
    if (text === "post") { await ctx.post("never seen"); return refuse("invalid", "after all not"); }
    return "well";`,
      ),
      ".agents/proposals/slow.mts": proposalFile(
        "slow",
        `return prepared;`,
        `prepareTimeoutMs: 300, async prepare({ n }, { signal }) { await new Promise((done) => setTimeout(done, n)); return { aborted: signal.aborted }; },`,
      ),
      ".agents/proposals/parts.js": `import { defineProposal } from "agent-worker";
import { z } from "zod";
import { word } from "./shared/word.ts";
export const composed = defineProposal({
  name: "composed", summary: "Do several.", input: z.object({ fail: z.boolean().default(false) }), access: "person",
  async execute({ fail }, ctx) {
    await ctx.propose("send-message", { message: "composed " + word });
    const inner = await ctx.propose("inner", { n: 5 });
    const refused = await ctx.propose("close-workspace", { target: "@nowhere" }).catch((error) => error.message);
    await ctx.emit("done", { inner });
    if (fail) throw new Error("undo all of it");
    return { inner, refused, members: await ctx.members(), said: (await ctx.messages()).map((each) => each.text) };
  },
});
export const inner = defineProposal({
  name: "inner", summary: "Inside.", input: z.object({ n: z.number() }), access: "agents",
  async execute({ n }, ctx) { await ctx.post("inner " + n); return n * 2; },
});
`,
      ".agents/proposals/shared/word.ts": "export const word: string = 'together';\n",
    },
  });
  await daemon.run(["start", "review"]);
});
afterAll(() => daemon[Symbol.asyncDispose]());

const call = (name: string, input: object) => daemon.run(["call", name, JSON.stringify(input)]);
async function refused(name: string, input: object): Promise<string> {
  const { exit, err } = await call(name, input);
  expect(exit).not.toBe(0);
  return err;
}

describe("a proposal that a project defines in code", () => {
  it("is a command, a route and listed apart, and remembers in each space what it stored [own.everywhere]", async () => {
    expect(await daemon.json(["call", "count", '{"n":2}'])).toEqual({ total: 2, by: "user", space: null });
    expect(await daemon.json(["call", "count", '{"n":3,"target":"@review"}'])).toMatchObject({
      total: 3,
      space: "@review:main",
    });
    const posted = await daemon.fetch("/own-proposals/count", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"n":4}',
    });
    expect(await posted.json()).toMatchObject({ total: 6 });
    const { out } = await daemon.run(["call"]);
    expect(out.slice(out.indexOf("Proposals of this project:"))).toMatch(
      /count\n +Do count\. \(\.agents.+; everyone\)/,
    );
    expect((await daemon.run(["tool", "list", "alice"])).out).toMatch(/count +project +Do count\./);
    const described = (await (await daemon.fetch("/openapi.json")).json()) as { paths: Record<string, unknown> };
    expect(described.paths["/own-proposals/count"]).toMatchObject({
      post: {
        operationId: "count",
        summary: "Do count.",
        requestBody: {
          content: { "application/json": { schema: { properties: { n: { type: "integer" }, target: {} } } } },
        },
      },
    });
    expect(await refused("count", { n: "x" })).toContain('in "n"');
    expect(await refused("count", { m: 1 })).toContain('there is no field "m"');
    expect(await refused("count", { target: "@nowhere" })).toContain("is not running");
    expect(await refused("cuont", {})).toContain('Did you mean "count"');
  });

  it("posts, makes other proposals and emits in one transaction, which a failure undoes [own.compose]", async () => {
    expect(await daemon.json(["call", "composed", '{"target":"@review"}'])).toMatchObject({
      inner: 10,
      refused: expect.stringContaining("is not running"),
      members: [{ name: "alice" }],
      said: ["composed together", "inner 5"],
    });
    expect(await refused("composed", { target: "@review", fail: true })).toContain(
      "composed failed at .agents/proposals/parts.js:11: undo all of it",
    );
    const { messages } = (await daemon.json(["peek", "@review"])) as { messages: { from: string; content: string }[] };
    expect(messages.map(({ from, content }) => `${from}: ${content}`)).toEqual([
      "user: composed together",
      "proposal:inner: inner 5",
    ]);
    expect(await refused("inner", { n: 1, target: "@review" })).toContain("Only agents may do this.");
  });

  it("that throws, refuses, forgets or never ends harms only its own call [own.failure]", async () => {
    expect(await refused("fails", { text: "throw" })).toContain(
      "fails failed at .agents/proposals/fails.ts:11: it is broken",
    );
    const no = await call("fails", { text: "no" });
    expect(no).toMatchObject({ exit: 3 });
    expect(no.err).toMatch(/Not now\.[^]*Tomorrow\./);
    expect(await refused("fails", { text: "cycle" })).toContain("returned something that is not JSON");
    expect(await refused("fails", { text: "post", target: "@review" })).toContain("after all not");
    expect(await refused("slow", { n: 2000 })).toContain("slow was given up after 0.3 s");
    expect(await daemon.json(["call", "slow", '{"n":1}'])).toEqual({ aborted: false });
    for (const text of ["late", "timer"]) await daemon.json(["call", "fails", JSON.stringify({ text })]);
    const [endless, meanwhile] = await Promise.all([
      refused("fails", { text: "endless" }),
      daemon.run(["send", "@review", "meanwhile"]),
    ]);
    expect(endless).toMatch(/given up after 3 s[^]*nothing but its context/);
    expect(meanwhile).toMatchObject({ exit: 0 });
    expect((await daemon.run(["peek", "@review"])).out).not.toContain("never seen");
    expect(await daemon.json(["status"])).toMatchObject({ running: true, pid: daemon.pid });
  });

  it("is read again when its file changes, refused while that is broken, and gone without it [own.reload]", async () => {
    const file = ".agents/proposals/word.ts";
    daemon.write(file, proposalFile("word", 'return "one";'));
    expect(await daemon.json(["call", "word"])).toBe("one");
    daemon.write(file, proposalFile("word", 'return "two";'));
    expect(await daemon.json(["call", "word"])).toBe("two");
    daemon.write(".agents/proposals/shared/word.ts", "export const word: string = 'anew';\n");
    const { said } = (await daemon.json(["call", "composed", '{"target":"@review"}'])) as { said: string[] };
    expect(said).toContain("composed anew");
    daemon.write(file, proposalFile("word", 'return "three" oops;'));
    expect(await refused("word", {})).toMatch(/"word" cannot be used\. \.agents\/proposals\/word\.ts:11: /);
    const [ls, status, check, doctor] = await Promise.all(
      [["ls"], ["status"], ["check"], ["doctor"]].map((args) => daemon.run(args)),
    );
    expect(ls?.err).toContain(`${file}:11: `);
    expect(status?.out).toContain(`Not used: ${file}:11: `);
    expect(check).toMatchObject({ exit: 2, err: expect.stringContaining(`${file}:11:20: `) });
    expect(doctor?.out).toContain(`${file}:11:20: `);
    rmSync(join(daemon.project, file));
    expect(await refused("word", {})).toContain('There is no operation "word"');
  });

  it("cannot have a name that is taken, with the place of the mistake [own.names]", async () => {
    const write = (file: string, name: string) => daemon.write(`.agents/proposals/${file}`, proposalFile(name, ""));
    write("a1.ts", "channel_send");
    write("a2.ts", "send-message");
    write("a3.ts", "Not A Name");
    write("zz.ts", "count");
    const { problems } = (await daemon.json(["call", "list-own-proposals"])) as {
      problems: { file: string; line: number; message: string }[];
    };
    expect(problems.map(({ file, line, message }) => `${file}:${line}: ${message}`)).toEqual([
      expect.stringMatching(/a1\.ts:5: "channel_send" has the name of something built-in/),
      expect.stringMatching(/a2\.ts:5: "send-message" has the name of something built-in/),
      expect.stringMatching(/a3\.ts:5: The name is not made of/),
      expect.stringMatching(/zz\.ts:5: "count" is the name of a proposal in \.agents\/proposals\/count\.ts already/),
    ]);
    const { exit, err } = await daemon.run(["check"]);
    expect({ exit, err }).toMatchObject({ exit: 2, err: expect.stringContaining("a1.ts:5:9") });
    for (const each of ["a1", "a2", "a3", "zz"]) rmSync(join(daemon.project, `.agents/proposals/${each}.ts`));
    expect(await daemon.json(["check"])).toMatchObject({ problems: [] });
  });

  it("is proposed by rules and ballots in their workspace [own.follows]", async () => {
    daemon.write(
      ".agents/proposals/noted.ts",
      proposalFile("noted", 'await ctx.post(ctx.caller.kind + " noted " + text); return n;', "ballotable: true,"),
    );
    const rule = { name: "note", when: { on: "message", contains: "please note" }, target: "@review" };
    const then = { propose: "noted", data: { text: "${{ message.text }}" } };
    await daemon.json(["call", "add-rule", JSON.stringify({ ...rule, then })]);
    expect(await refused("add-rule", { ...rule, name: "slowly", then: { propose: "slow", data: {} } })).toContain(
      "prepares something first",
    );
    await daemon.run(["send", "@review", "please note this"]);
    const said = async (text: string) => (await daemon.run(["peek", "@review"])).out.includes(text);
    await eventually("the rule has acted", () => said("rule noted please note this"));

    const ballot = (propose: string) => ({
      target: "@review",
      type: "decision",
      title: "Shall we?",
      voters: ["user"],
      options: [{ label: "yes", then: { propose, data: { text: "the vote" } } }, { label: "no" }],
    });
    expect(await refused("create-ballot", ballot("count"))).toContain("ballotable: true");
    const { id } = (await daemon.json(["call", "create-ballot", JSON.stringify(ballot("noted"))])) as { id: string };
    await daemon.json(["call", "cast-vote", JSON.stringify({ id, option: "yes" })]);
    expect(await said("ballot noted the vote")).toBe(true);
  });
});
