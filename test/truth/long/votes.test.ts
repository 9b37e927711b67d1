import { expect, it } from "vitest";
import type { BallotView } from "../../../src/contract/ballots.ts";
import { startTestDaemon, type TestDaemon } from "../../support/daemon/daemon.ts";
import { value } from "../../support/result.ts";

const agent = (name: string): string => `name: ${name}\nbackend: mock\nprompt: { system: You help. }\n`;

const FILES = {
  ".agents/alice.yaml": agent("alice"),
  ".agents/bob.yaml": agent("bob"),
  ".workflows/elect.yaml": `name: elect
agents: { alice: { ref: alice }, bob: { ref: bob } }
workspace: { documentOwner: elect, electionTimeout: 20s }
kickoff: "@bob write it down"
`,
};

const electionOf = async ({ client }: TestDaemon): Promise<BallotView | undefined> =>
  value(await client.call("list-ballots", { target: "@elect", all: true })).ballots[0];

const kickoffsOf = async ({ client }: TestDaemon): Promise<number> =>
  value(await client.call("peek-channel", { target: "@elect", limit: 100 })).messages.filter(
    ({ kind }) => kind === "kickoff",
  ).length;

it("[votes.election-restart] a daemon that is killed during the election posts the kickoff after it, once, in its next life", async () => {
  const first = await startTestDaemon({ files: FILES });
  for await (const event of first.client.run({ workflow: "elect", until: "started" })) {
    if (event.type === "done") break;
  }
  expect(await electionOf(first)).toMatchObject({ state: "open", fallback: "alice" });
  expect(await kickoffsOf(first)).toBe(0);
  await first.stop("SIGKILL");

  await using second = await first.restart();
  await expect.poll(async () => (await electionOf(second))?.state, { timeout: 60_000 }).toBe("expired");
  await expect.poll(() => kickoffsOf(second), { timeout: 10_000 }).toBe(1);
  expect(value(await second.client.call("show-workspace", { target: "@elect" }))).toMatchObject({
    documentOwner: "alice",
  });
});
