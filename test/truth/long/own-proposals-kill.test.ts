import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startCommandedDaemon } from "../../support/daemon/commanded-daemon.ts";
import { startFakeModelServer } from "../../support/engine/fake-model-server/server.ts";
import { proposalFile } from "../../support/team/own-proposals.ts";
import { value } from "../../support/result.ts";

const COUNT = `
    const total = Number((await ctx.state.get()) ?? 0) + n;
    await ctx.state.set(total);
    if (n > 0) await ctx.post("counted " + total);
    return { total };`;

/** Waits for `go` before its transaction; inside of it, it says that it has begun, and waits for `end`. */
const HOLD = `
    const total = Number((await ctx.state.get()) ?? 0) + 1;
    await ctx.state.set(total);
    await ctx.post("held " + total);
    writeFileSync(join(ctx.projectDir, "begun"), "");
    while (!existsSync(join(ctx.projectDir, "end"))) await new Promise((done) => setTimeout(done, 5));
    return { held: total };`;
const UNTIL_GO = `
  async prepare(_data, ctx) {
    while (!existsSync(join(ctx.projectDir, "go"))) await new Promise((done) => setTimeout(done, 5));
  },`;
const NODE = 'import { existsSync, writeFileSync } from "node:fs";\nimport { join } from "node:path";\n';

describe("an own proposal", () => {
  it("that a kill cuts off in its transaction happens once, and what the step did before it too [own.kill]", async () => {
    const calls = ["count", "count", "hold"].map((name) => ({ name, args: name === "count" ? { n: 1 } : {} }));
    await using model = await startFakeModelServer(({ messages }) =>
      JSON.stringify(messages).includes("tool_use") ? { text: "all done" } : { toolCalls: calls },
    );
    await using first = await startCommandedDaemon({
      env: { FAKE_KEY: "no-key" },
      files: {
        ".agents/alice.yaml": `name: alice\nmodel: fake-model\nprovider: { name: anthropic, base_url: "${model.url}/v1", api_key: $FAKE_KEY }\nprompt: { system: Work. }\n`,
        ".workflows/desk.yaml": "agents: { alice: alice }\n",
        ".agents/proposals/count.ts": proposalFile("count", COUNT),
        ".agents/proposals/hold.ts": NODE + proposalFile("hold", HOLD, UNTIL_GO),
      },
    });
    const mark = (name: string): string => join(first.project, name);
    const said = async (): Promise<string[]> => {
      const { messages } = (await first.json(["peek", "@desk"])) as { messages: { from: string; content: string }[] };
      return messages.map(({ from, content }) => `${from}: ${content}`).toSorted();
    };
    expect(await first.run(["start", "desk"])).toMatchObject({ exit: 0 });
    expect(await first.run(["send", "@desk", "@alice work"])).toMatchObject({ exit: 0 });
    await expect.poll(said, { timeout: 20_000 }).toContain("proposal:count: counted 2");
    writeFileSync(mark("go"), "");
    await expect.poll(() => existsSync(mark("begun")), { timeout: 20_000 }).toBe(true);
    await first.stop("SIGKILL");
    writeFileSync(mark("end"), "");

    await using daemon = await first.restart({ env: { FAKE_KEY: "no-key" } });
    const expected = ["alice: all done", "proposal:count: counted 1", "proposal:count: counted 2"];
    await expect
      .poll(said, { timeout: 20_000 })
      .toEqual([...expected, "proposal:hold: held 1", "user: @alice work"].toSorted());
    // The step was made a second time, and its calls got the answers of the first.
    const answers = JSON.stringify(model.requests.at(-1)?.messages).replaceAll(/\\n|\\/g, "");
    expect(model.requests).toHaveLength(3);
    for (const answer of ['"total": 1}', '"total": 2}', '"held": 1}']) expect(answers).toContain(answer);
    const { total } = JSON.parse((await first.run(["call", "count", '{"n":0,"target":"@desk"}', "--json"])).out) as {
      total: number;
    };
    expect(total).toBe(2);
    expect(value(await daemon.client.call("list-runs", { target: "@desk" })).runs).toHaveLength(1);
  });
});
