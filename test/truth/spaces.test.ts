import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SubSpaceView } from "../../src/contract/spaces/sub-spaces.ts";
import { startCommandedDaemon, type CommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import type { FakeReply, RecordedRequest } from "../support/engine/fake-model-server/script.ts";
import { startFakeModelServer, type FakeModelServer } from "../support/engine/fake-model-server/server.ts";

/** Nora opens a space with ben, who answers there; then she closes it. */
function reply({ system, messages }: RecordedRequest): FakeReply {
  const text = JSON.stringify(messages);
  if (system.includes("I am ben")) return { text: text.includes("Draw it") ? "@nora it is drawn" : "ben is here" };
  if (text.includes("rest today")) return { text: "resting" };
  if (text.includes("tool_use")) return { text: text.includes("space_close") ? "closed it" : "ben draws" };
  if (text.includes("it is drawn"))
    return { toolCalls: [{ name: "space_close", args: { space: "design", outcome: "It is drawn." } }] };
  const open = { name: "design", members: ["ben"], purpose: "Draw it." };
  return { toolCalls: [{ name: "space_open", args: open }] };
}

let model: FakeModelServer;
let daemon: CommandedDaemon;
beforeAll(async () => {
  model = await startFakeModelServer(reply);
  const agent = (name: string, more = ""): string =>
    `  ${name}: { model: fake-model, provider: { name: anthropic, base_url: "${model.url}/v1", api_key: $FAKE_KEY }, prompt: { system: I am ${name}. }${more} }`;
  daemon = await startCommandedDaemon({
    env: { FAKE_KEY: "no-key" },
    files: {
      ".workflows/tw.yaml": `agents:\n${agent("nora", ", tools: [channel_send, space_open]")}\n${agent("ben")}\nkickoff: "@nora begin"\n`,
      ".workflows/quiet.yaml": `agents:\n${agent("ben")}\n${agent("cleo")}\n`,
    },
  });
});
afterAll(async () => {
  await daemon?.[Symbol.asyncDispose]();
  await model?.[Symbol.asyncDispose]();
});

const ok = async (...args: string[]): Promise<string> => {
  const ran = await daemon.run(args);
  expect(ran, args.join(" ")).toMatchObject({ exit: 0 });
  return ran.out;
};
const refused = async (...args: string[]): Promise<string> => {
  const ran = await daemon.run(args);
  expect(ran.exit, ran.out).not.toBe(0);
  return ran.err;
};

describe("spaces", () => {
  it("run shows what is said in a space too, marked with its name [spaces.run-shows]", async () => {
    const out = await ok("run", "tw");
    expect(out).toMatch(/^nora\/design +Draw it\.$/m);
    expect(out).toMatch(/^ben\/design +@nora it is drawn$/m);
    expect(out).toMatch(/^nora\/design +space_close/m);
    expect(out).toMatch(/^nora +Closed the space @tw\/design: It is drawn\.$/m);
    const events = (await ok("run", "tw", "--json"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string; from?: string; space?: string; content?: string });
    const said = events.filter(({ type }) => type === "message");
    expect(said.find(({ content }) => content === "@nora it is drawn")).toMatchObject({ space: "@tw:main/design" });
    expect(said.find(({ content }) => content === "ben draws")).not.toHaveProperty("space");
    // The answer of the run is what was said in the channel.
    expect(events.at(-1)).toMatchObject({ type: "done", content: expect.stringContaining("Closed the space") });
  });

  it("a space of an earlier instance can be read by how long ago it was [spaces.earlier]", async () => {
    await ok("run", "tw", "@nora rest today");
    expect(await ok("peek", "@tw/design", "--earlier", "1")).toContain("it is drawn");
    expect(await ok("space", "list", "@tw~1")).toMatch(/@tw\/design~1 +closed +nora ben +nora +Draw it\./);
    expect(await ok("space", "list", "@tw")).toBe("There are no spaces in @tw.\n");
    expect(await refused("peek", "@tw/plans", "--earlier", "1")).toContain("There was no @tw/plans in that instance.");
  });

  it("a person opens, lists and closes them as agents do [spaces.person]", async () => {
    await ok("start", "quiet");
    expect(await ok("space", "open", "@quiet/plan", "What is next?", "--with", "ben")).toBe(
      "Opened @quiet/plan with ben.\n",
    );
    await expect.poll(() => ok("peek", "@quiet/plan"), { timeout: 20_000 }).toContain("ben is here");
    expect(await ok("space", "list", "@quiet")).toMatch(/@quiet\/plan +open +ben +user +What is next\?/);
    const { spaces } = (await daemon.json(["space", "list", "@quiet"])) as { spaces: SubSpaceView[] };
    expect(spaces).toMatchObject([{ address: "@quiet/plan", name: "plan", state: "open", members: ["ben"] }]);
    expect(await refused("space", "open", "@quiet/plan", "again", "--with", "ben")).toContain("already");
    expect(await refused("space", "open", "@quiet/else", "nobody")).toContain("--with alice,bob");
    expect(await refused("space", "open", "@quiet/else", "who", "--with", "nora")).toContain("nora");
    expect(await refused("space", "close", "@quiet")).toContain("names no space");
    expect(await ok("space", "close", "@quiet/plan", "We rest.")).toBe("Closed @quiet/plan.\n");
    expect(await ok("peek", "@quiet")).toContain("Closed the space @quiet/plan: We rest.");
    expect(await refused("send", "@quiet/plan", "hello")).toContain('no open space "plan"');
    await ok("stop", "@quiet");
  });
});
