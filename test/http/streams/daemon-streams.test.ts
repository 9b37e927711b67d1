import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../../src/contract/service/work-request.ts";
import { startTestDaemon, type TestDaemon } from "../../support/daemon/daemon.ts";
import { readUntil } from "../../support/daemon/request-server.ts";
import { eventually } from "../../support/team/running-project.ts";
import { agentFile, workflowFile } from "../../support/team/team.ts";

const FILES = {
  ...agentFile("alice", "model: scripts/alice.yaml\n"),
  "scripts/alice.yaml": "- steps:\n    - { say: slowly but surely, pace: 400ms }\n    - { say: done }\n",
  ...agentFile("bob"),
  ...workflowFile("task", 'agents: { alice: { ref: alice } }\nkickoff: "@alice go"\n'),
};

async function stateOfTask(daemon: TestDaemon): Promise<string | undefined> {
  const { workspaces } = (await (await daemon.fetch("/workflows")).json()) as { workspaces: { state: string }[] };
  return workspaces[0]?.state;
}

describe("the streams of a daemon", () => {
  it("tell an workRequest to a client, and answer it at once to another [http.run] [http.serve]", async () => {
    await using daemon = await startTestDaemon({ files: FILES });
    const told: RunEvent[] = [];
    for await (const event of daemon.client.run({ agent: "bob", message: "hello" })) told.push(event);
    expect(told.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["started", "step", "chunk", "message", "done"]),
    );
    const served = await daemon.fetch("/serve", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ agents: { ada: { backend: "mock", prompt: { system: "Answer." } } }, message: "hello" }),
    });
    expect(await served.json()).toMatchObject({ success: true, participants: ["ada"], usage: { costUsd: 0 } });
  });

  it("outlive the daemon: what nobody watched ends after a kill, and events go on from the last id [http.events]", async () => {
    await using first = await startTestDaemon({ files: FILES });
    const leaving = new AbortController();
    const seen = readUntil(await first.fetch("/events"), ({ data }) => data["type"] === "run.started");
    for await (const { type } of first.client.run({ workflow: "task" }, leaving.signal)) if (type === "step") break;
    const last = Number((await seen).at(-1)?.id);
    await first.stop("SIGKILL");
    await using second = await first.restart();
    await eventually("it is closed", async () => (await stateOfTask(second)) === "closed", 20_000);
    const response = await second.fetch("/events", { headers: { "last-event-id": String(last) } });
    const missed = await readUntil(response, ({ data }) => data["type"] === "workspace.closed");
    expect(missed[0]?.event).toBe("snapshot");
    const ids = missed.slice(1).map(({ id }) => Number(id));
    expect(ids).toEqual(ids.map((_, i) => last + i + 1));
    expect(missed.map(({ data }) => data["type"])).toEqual(expect.arrayContaining(["message.posted", "run.ended"]));
  });
});
