import { describe, expect, it } from "vitest";
import { EngineFailure } from "../../../src/ports/engine.ts";
import { scriptedEngine, type Script } from "../../../src/testing/scripted-engine.ts";
import { readUntil, startRequestServer, type ReadEvent } from "../../support/daemon/request-server.ts";
import { untilAborted } from "../../support/engine/until-aborted.ts";
import { gate } from "../../support/gate.ts";
import { manualClock } from "../../support/manual-clock.ts";
import {
  eventually,
  openLiveTestProject,
  type LiveTestOptions,
  type LiveTestProject,
} from "../../support/team/running-project.ts";
import { ALICE_AND_BOB, stateOf } from "../../support/team/started-workflow.ts";
import { TEAM, workflowFile } from "../../support/team/team.ts";

const ADA = { ada: { backend: "mock", prompt: { system: "You answer." } } };

async function openTeamOn(script?: Script, files: LiveTestOptions["files"] = {}): Promise<LiveTestProject> {
  const engine = script === undefined ? {} : { engine: scriptedEngine(script) };
  return openLiveTestProject({ files: { ...TEAM, ...files }, ...engine });
}

const isEnd = ({ event }: ReadEvent): boolean => event === "done" || event === "error";

describe("POST /run", () => {
  it("streams what an agent does and says, by the name of each event [http.run]", async () => {
    // The real mock engine, because it streams its words.
    await using project = await openTeamOn(undefined, {
      ".agents/alice.yaml": "name: alice\nbackend: mock\nmodel: alice-script.yaml\nprompt: { system: Answer. }\n",
      "alice-script.yaml":
        "- steps:\n    - call: { tool: note_add, args: { title: Seen, content: it } }\n    - say: one two three four five six seven\n",
    });
    await using server = await startRequestServer(project);
    const response = await server.post("/run", { agent: "alice", message: "hello" });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("no-store");
    const events = await readUntil(response, () => false);
    expect(events.map(({ event }) => event)).toEqual([
      "started",
      "message",
      "step",
      "tool_call",
      "tool_result",
      "step",
      "chunk",
      "chunk",
      "chunk",
      "message",
      "done",
    ]);
    expect(events[3]?.data).toEqual({
      type: "tool_call",
      agent: "alice",
      tool: "note_add",
      args: { title: "Seen", content: "it" },
    });
    const words = events.flatMap(({ event, data }) => (event === "chunk" ? [data["text"]] : []));
    expect(words.join("")).toBe("one two three four five six seven");
    expect(events.at(-2)?.data).toMatchObject({ from: "alice", content: "one two three four five six seven" });
    expect(events.at(-1)?.data).toMatchObject({
      content: "one two three four five six seven",
      success: true,
      toolCalls: [{ agent: "alice", tool: "note_add" }],
      usage: { costUsd: 0 },
    });
  });

  it("takes a workflow and agents of its own [http.run]", async () => {
    const files = workflowFile("task", `${ALICE_AND_BOB}kickoff: "@alice go"\n`);
    await using project = await openTeamOn(({ agent }) => `${agent} is done`, files);
    await using server = await startRequestServer(project);
    const last = async (body: unknown) => (await readUntil(await server.post("/run", body), isEnd)).at(-1)?.data;
    expect(await last({ workflow: "task", tag: "x" })).toMatchObject({ content: "alice is done", space: "@task:x" });
    expect(await last({ agents: ADA, message: "Hi." })).toMatchObject({
      content: "ada is done",
      participants: ["ada"],
    });
  });

  it("answers plainly when it refuses before anything happened", async () => {
    await using project = await openTeamOn(() => "");
    await using server = await startRequestServer(project);
    const cases: readonly (readonly [unknown, number, RegExp])[] = [
      [{}, 400, /agent, workflow, agents and to/],
      [{ agent: "alice", workflow: "review", message: "x" }, 400, /agent, workflow, agents and to/],
      [{ agent: "alice" }, 400, /message/],
      [{ agent: "alice", message: "" }, 400, /message/],
      [{ agent: "alice", message: "x", tag: "y" }, 400, /tag/],
      [{ agent: "alicia", message: "x" }, 404, /alicia/],
      [{ workflow: "tusk" }, 404, /tusk/],
      [{ workflow: "review", until: "later" }, 400, /until/],
      [{ agents: { ada: { promt: 1 } }, message: "x" }, 400, /agents\.ada\.promt/],
      [{ agents: [], message: "x" }, 400, /agents/],
    ];
    for (const path of ["/run", "/serve"] as const) {
      for (const [body, status, message] of cases) {
        const response = await server.post(path, body);
        const { error } = (await response.json()) as { error: { message: string } };
        expect([path, body, response.status]).toEqual([path, body, status]);
        expect(error.message).toMatch(message);
      }
    }
    expect(project.published).toEqual([]);
  });

  it("tells a refusal that comes after the beginning as its last event", async () => {
    const files = workflowFile("task", `${ALICE_AND_BOB}setup: [{ shell: "echo preparing; exit 3" }]\n`);
    await using project = await openTeamOn(() => "", files);
    await using server = await startRequestServer(project);
    const events = await readUntil(await server.post("/run", { workflow: "task" }), () => false);
    expect(events[0]?.event).toBe("setup");
    expect(events.at(-1)).toMatchObject({ event: "error", data: { code: "failed" } });
    expect(await stateOf(project, "@task:main")).toBe("closed");
  });

  it("says what could not be answered", async () => {
    await using project = await openTeamOn(() => {
      throw new EngineFailure("permanent", "no such model");
    });
    await using server = await startRequestServer(project);
    const events = await readUntil(await server.post("/run", { agent: "alice", message: "hi" }), isEnd);
    expect(events.at(-1)?.data).toMatchObject({ success: false, failed: [{ agent: "alice" }] });
  });

  it("leaves the work to the daemon when the client goes away", async () => {
    const slow = gate();
    const files = workflowFile("task", `${ALICE_AND_BOB}kickoff: "@alice go"\n`);
    await using project = await openTeamOn(async () => {
      await slow.passed;
      return "done";
    }, files);
    await using server = await startRequestServer(project);
    const leaving = new AbortController();
    await readUntil(await server.post("/run", { workflow: "task" }, leaving.signal), ({ event }) => event === "step");
    leaving.abort();
    slow.open();
    await eventually("it is closed", async () => (await stateOf(project, "@task:main")) === "closed");
    expect(await project.said("@task:main")).toEqual(["user: @alice go", "alice: done"]);
  });

  it("says so when the daemon stops first", async () => {
    await using project = await openTeamOn(({ signal }) => untilAborted(signal));
    await using server = await startRequestServer(project);
    const response = await server.post("/run", { agent: "alice", message: "hi" });
    const served = server.post("/serve", { agent: "bob", message: "hi" });
    await eventually("both work", () => project.published.filter(({ type }) => type === "run.started").length === 2);
    server.stop();
    const events = await readUntil(response, () => false);
    expect(events.at(-1)).toMatchObject({ event: "error", data: { code: "unavailable" } });
    expect((await served).status).toBe(503);
  });

  it("shows that it is alive while nothing happens", async () => {
    const clock = manualClock();
    await using project = await openTeamOn(({ signal }) => untilAborted(signal));
    await using server = await startRequestServer(project, { clock });
    const { body } = await server.post("/run", { agent: "alice", message: "hi" });
    let text = "";
    const reading = (async () => {
      for await (const bytes of body ?? []) if ((text += Buffer.from(bytes).toString()).includes("\n:\n\n")) return;
    })();
    await eventually("a heartbeat comes", () => {
      clock.advance(5_000);
      return text.includes("\n:\n\n");
    });
    await reading;
    expect(text).toMatch(/^event: started\n/);
  });
});

describe("POST /serve", () => {
  it("answers with content, tool calls and usage when it is done [http.serve]", async () => {
    await using project = await openTeamOn(async ({ call }) => {
      await call("todo_add", { text: "look" });
      return "Served.";
    });
    await using server = await startRequestServer(project);
    const response = await server.post("/serve", { agent: "alice", message: "hi" });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      type: "done",
      content: "Served.",
      outcome: "answered",
      success: true,
      space: "alice",
      participants: ["alice"],
      failed: [],
      incomplete: [],
      waits: [],
      hint: null,
      toolCalls: [{ agent: "alice", tool: "todo_add", args: { text: "look" } }],
      usage: { inputTokens: 10, outputTokens: 5, costUsd: null, costEstimated: false },
    });
    const team = await server.post("/serve", { agents: ADA, message: "Hi." });
    expect(await team.json()).toMatchObject({ content: "Served.", participants: ["ada"] });
  });

  it("answers twenty who ask at once, each with what they asked for", async () => {
    await using project = await openTeamOn(({ inbox }) => `you said ${inbox.match(/word-\d+/)?.[0]}`);
    await using server = await startRequestServer(project);
    const names = Array.from({ length: 20 }, (_, i) => `word-${i}`);
    const contents = await Promise.all(
      names.map(async (word) => {
        const response = await server.post("/serve", { agents: ADA, message: word });
        return ((await response.json()) as { content: string }).content;
      }),
    );
    expect(contents).toEqual(names.map((word) => `you said ${word}`));
    await eventually("no loop is left", () => project.runtime.loops.size === 0);
  });
});
