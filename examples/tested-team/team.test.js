import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { openTestTeam } from "agent-worker/testing";

const files = {};
for (const path of [".agents/alice.yaml", ".workflows/review.yaml"]) {
  files[path] = await readFile(new URL(path, import.meta.url), "utf8");
}

test("whom alice calls answers, and the workflow ends", async () => {
  await using team = await openTestTeam({
    files,
    // Plays every step of every agent; the store, the loops, the tools and the daemon are the real ones.
    script: ({ agent, inbox }) => {
      if (agent === "bob") return "Mended.";
      return inbox.includes("Mended") ? "" : "The bound is wrong, @bob.";
    },
  });
  const end = await team.client.serve({ workflow: "review" });
  assert.equal(end.ok && end.value.success, true);
  const said = await team.client.call("peek-channel", { target: "@review" });
  assert.deepEqual(said.ok && said.value.messages.map(({ from, content }) => `${from}: ${content}`), [
    "user: @alice please look at the change of bob.",
    "alice: The bound is wrong, @bob.",
    "bob: Mended.",
  ]);
});

test("a tool call that is refused tells the agent why", async () => {
  let answer;
  await using team = await openTestTeam({
    files,
    script: async ({ agent, call }) => {
      if (agent === "alice") answer ??= await call("proposal_vote", { id: "bal_unknown", option: "approve" });
      return "";
    },
  });
  await team.client.serve({ workflow: "review" });
  assert.equal(answer.isError, true);
  assert.match(answer.content, /bal_unknown/);
});
