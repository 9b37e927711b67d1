import { connect, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { person } from "../../../src/kernel/caller.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import { scriptedEngine } from "../../../src/testing/scripted-engine.ts";
import {
  readUntil,
  startRequestServer,
  type RequestServer,
  type ReadEvent,
} from "../../support/daemon/request-server.ts";
import { gate } from "../../support/gate.ts";
import { manualClock } from "../../support/manual-clock.ts";
import { callOk } from "../../support/team/project.ts";
import { eventually, openLiveTestProject, type LiveTestProject } from "../../support/team/running-project.ts";
import { ALICE_AND_BOB } from "../../support/team/started-workflow.ts";
import { TEAM, workflowFile } from "../../support/team/team.ts";

/** Nobody answers: only what the test itself does is recorded. */
async function openProject(): Promise<LiveTestProject> {
  const files = {
    ...TEAM,
    ...workflowFile("scratch", `${ALICE_AND_BOB}workspace: { provider: memory }\n`),
  };
  const project = await openLiveTestProject({ files, engine: scriptedEngine(() => "") });
  await project.open("review");
  return project;
}

/** Messages that wake nobody, so each is one event; many share a commit. */
async function say(project: LiveTestProject, count: number, text = "word"): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, (_, i) =>
      callOk(project, person, sendMessage, { to: "@review", message: `${text} ${i}` }),
    ),
  );
}

const lastSeq = (project: LiveTestProject): Promise<number> =>
  project.store.read(async (store) => (await store.events.last()).durable);

function recordedIds(events: readonly ReadEvent[]): number[] {
  return events.flatMap(({ event, data }) => (event === "recorded" ? [data["seq"] as number] : []));
}

const upTo = (first: number, last: number): number[] => Array.from({ length: last - first }, (_, i) => first + i + 1);

/** Said in a line, because thousands of numbers tell nobody anything. */
function inOrder(ids: readonly number[]): string {
  const wrong = ids.find((id, i) => i > 0 && id !== (ids[i - 1] ?? 0) + 1);
  return `${ids.length} from ${ids[0]} to ${ids.at(-1)}${wrong === undefined ? "" : `, out of order at ${wrong}`}`;
}

const isRecorded = (seq: number) => (event: ReadEvent) => event.event === "recorded" && event.data["seq"] === seq;

describe("GET /events", () => {
  it("gives a snapshot, then every event with its number [http.events]", async () => {
    await using project = await openProject();
    await using server = await startRequestServer(project);
    const before = await lastSeq(project);
    const response = await server.events();
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const reading = readUntil(response, (_event, count) => count === 11);
    await say(project, 10);
    const events = await reading;
    expect(events[0]).toMatchObject({
      event: "snapshot",
      id: "",
      data: {
        seq: before,
        agents: [{ name: "alice" }, { name: "bob" }, { name: "carol" }],
        workspaces: [{ space: "@review:main" }],
        counts: { agents: 3, workspaces: 1, running: 0, pending: 0, dead: 0 },
      },
    });
    expect(recordedIds(events)).toEqual(upTo(before, before + 10));
    expect(events.slice(1).map(({ id }) => Number(id))).toEqual(recordedIds(events));
    expect(events[1]?.data).toMatchObject({ type: "message.posted", space: "@review:main" });
  });

  it("goes on after Last-Event-ID or since, whichever is given, and from now on for an id of another store", async () => {
    await using project = await openProject();
    await using server = await startRequestServer(project);
    await say(project, 5);
    const last = await lastSeq(project);
    const idsOf = async (response: Promise<Response>, count: number) =>
      recordedIds(await readUntil(await response, (_event, read) => read === count + 1));
    expect(await idsOf(server.events("", { lastEventId: last - 3 }), 3)).toEqual(upTo(last - 3, last));
    expect(await idsOf(server.events(`?since=${last - 2}`), 2)).toEqual(upTo(last - 2, last));
    expect(await idsOf(server.events("?since=0", { lastEventId: last - 1 }), 1)).toEqual([last]);
    let told = false;
    const ahead = idsOf(server.events("", { lastEventId: last + 1_000 }), 1).finally(() => (told = true));
    await eventually("the client is told", async () => {
      await say(project, 1);
      return told;
    });
    expect((await ahead)[0]).toBeGreaterThan(last);
    for (const query of ["?since=x", "?since=-1", "?live=perhaps", "?space=a b", "?snce=1"]) {
      expect([query, (await server.events(query)).status]).toEqual([query, 400]);
    }
  });

  it("loses and repeats nothing over many connections while events come (F22) [http.events]", async () => {
    await using project = await openProject();
    await using server = await startRequestServer(project);
    const before = await lastSeq(project);
    const total = 2_000;
    const speaking = (async () => {
      for (let said = 0; said < total; said += 40) await say(project, 40);
    })();
    const seen: number[] = [];
    for (let cuts = 0; seen.length < total; cuts += 1) {
      const at = seen.at(-1) ?? before;
      const cutAfter = 1 + ((cuts * 37) % 90);
      const events = await readUntil(
        await server.events("", { lastEventId: at }),
        (event, count) => count > cutAfter || isRecorded(before + total)(event),
      );
      seen.push(...recordedIds(events));
    }
    await speaking;
    expect(inOrder(seen)).toBe(inOrder(upTo(before, before + total)));
  });

  it("reads far back page by page, never all at once (F22)", async () => {
    await using project = await openProject();
    await say(project, 5_000);
    const last = await lastSeq(project);
    let pages = 0;
    const read: LiveTestProject["store"]["read"] = (work) =>
      project.store.read((store) =>
        work({
          ...store,
          events: {
            ...store.events,
            after: (cursor, limit, until) => {
              pages += 1;
              expect(limit).toBeLessThanOrEqual(500);
              return store.events.after(cursor, limit, until);
            },
          },
        }),
      );
    await using watched = await startRequestServer({ ...project, store: { ...project.store, read } });
    const events = await readUntil(await watched.events("?since=0"), isRecorded(last));
    expect(inOrder(recordedIds(events))).toBe(inOrder(upTo(0, last)));
    expect(pages).toBeGreaterThan(9);
  });

  it("tells only of one space, and live only to those who want it", async () => {
    const slow = gate();
    const engine = scriptedEngine(async ({ call }) => {
      await slow.passed;
      await call("todo_add", { text: "x" });
      return "answer";
    });
    await using project = await openLiveTestProject({ files: TEAM, engine });
    await using server = await startRequestServer(project);
    const ofAlice = readUntil(await server.events("?space=alice&live=1"), ({ data }) => data["type"] === "run.ended");
    const ofBob = readUntil(await server.events("?space=bob"), ({ data }) => data["type"] === "run.ended");
    const ofAll = readUntil(await server.events("?live=true"), ({ data }) => data["type"] === "run.ended");
    await project.send("bob", "hello");
    await eventually("bob works", () => engine.steps.length === 1);
    await project.send("alice", "hello");
    await eventually("alice works", () => engine.steps.length === 2);
    slow.open();
    const [alice, bob, all] = await Promise.all([ofAlice, ofBob, ofAll]);
    const spaces = (events: readonly ReadEvent[]) => new Set(events.slice(1).map(({ data }) => data["space"]));
    expect(spaces(alice)).toEqual(new Set(["alice"]));
    expect(spaces(bob)).toEqual(new Set(["bob"]));
    expect([...spaces(all)]).toEqual(expect.arrayContaining(["alice", "bob"]));
    const live = alice.filter(({ event }) => event === "live");
    expect(live.map(({ data }) => data["type"])).toEqual(["step", "tool-call", "tool-result"]);
    expect(bob.some(({ event }) => event === "live")).toBe(false);
    // Live ones change nothing about where a client goes on.
    expect(
      live.every(({ id }) => alice.some(({ event, data }) => event === "recorded" && String(data["seq"]) === id)),
    ).toBe(true);
  });

  it("tells of workspaces that are kept in memory, without an id to go on from", async () => {
    await using project = await openProject();
    await using server = await startRequestServer(project);
    const last = await lastSeq(project);
    const reading = readUntil(await server.events(), ({ data }) => data["type"] === "workspace.closed");
    await project.open("scratch");
    await callOk(project, person, sendMessage, { to: "@scratch", message: "nobody is called" });
    await project.close("@scratch");
    const events = await reading;
    expect(events.slice(1).map(({ data }) => data["type"])).toEqual([
      "workspace.opened",
      "message.posted",
      "workspace.closed",
    ]);
    expect(events.slice(1).map(({ id, data }) => [id, data["seq"]])).toEqual([1, 2, 3].map(() => ["", last]));
  });

  it("shows that it is alive, and says goodbye when the daemon stops", async () => {
    const clock = manualClock();
    await using project = await openProject();
    await using server = await startRequestServer(project, { clock });
    const response = await server.events();
    let text = "";
    const reading = (async () => {
      for await (const bytes of response.body ?? []) text += Buffer.from(bytes).toString();
    })();
    await eventually("a heartbeat comes", () => {
      clock.advance(5_000);
      return text.includes("\n:\n\n");
    });
    server.stop();
    await reading;
    expect(text).toMatch(/event: closing\ndata: \{"code":"unavailable"[^\n]+\}\n\n$/);
  });

  it("keeps nothing of a client that is gone", async () => {
    await using project = await openProject();
    const observed: unknown[] = [];
    const events: LiveTestProject["events"] = {
      ...project.events,
      observe: (observer) => {
        const observing = project.events.observe(observer);
        observed.push(observing);
        return {
          [Symbol.dispose]: () => {
            observing[Symbol.dispose]();
            observed.splice(observed.indexOf(observing), 1);
          },
        };
      },
    };
    await using watched = await startRequestServer({ ...project, events });
    const sockets = await Promise.all([1, 2, 3].map(() => connectRaw(watched, "/events")));
    await eventually("one observer serves all", () => observed.length === 1);
    for (const socket of sockets) socket.destroy();
    await eventually("nobody observes", () => observed.length === 0);
    const [first] = await readUntil(await watched.events(), () => true);
    expect(first?.event).toBe("snapshot");
  });
});

describe("a client of GET /events that does not read (F22)", () => {
  /** More than the two ends of a connection hold between them. Only those who want live events get it. */
  async function flood(project: LiveTestProject, megabytes: number): Promise<void> {
    const text = "x".repeat(128 * 1024);
    for (let i = 0; i < megabytes * 8; i += 1) {
      project.runtime.live.publish([{ type: "text", run: "run_x", space: "alice", agent: "alice", text }]);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** One that has begun to read, and stopped. */
  async function idleClient(server: RequestServer): Promise<Socket> {
    const socket = await connectRaw(server, "/events?live=1");
    await new Promise((resolve) => socket.once("data", resolve));
    socket.pause();
    return socket;
  }

  it("is dropped with a reason, and a thousand others lose nothing [http.events-bounded]", async () => {
    await using project = await openProject();
    await using server = await startRequestServer(project, { clock: manualClock() });
    const before = await lastSeq(project);
    const readers = await Promise.all(Array.from({ length: 1_000 }, () => countingClient(server)));
    const idle = await idleClient(server);
    await eventually("all are there", () => readers.every((reader) => reader.last() === 0));

    const memory = process.memoryUsage().rss;
    for (let round = 0; round < 5; round += 1) {
      await say(project, 100);
      await flood(project, 6);
    }
    const last = await lastSeq(project);
    await eventually("the others have read it all", () => readers.every((reader) => reader.last() === last));
    expect(readers.every((reader) => reader.inOrderFrom(before))).toBe(true);
    expect(process.memoryUsage().rss - memory).toBeLessThan(200 * 1024 * 1024);

    let text = "";
    idle.on("data", (bytes: Buffer) => (text = (text + bytes.toString("latin1")).slice(-1_000)));
    const ended = new Promise((resolve) => idle.once("end", resolve));
    idle.resume();
    await ended;
    expect(text).toMatch(/event: dropped\ndata: \{"code":"too_slow"[^\n]+\}\n\n$/);
    for (const reader of readers) reader.close();
  });

  it("is cut off when it does not even read that", async () => {
    const clock = manualClock();
    await using project = await openProject();
    await using server = await startRequestServer(project, { clock });
    const idle = await idleClient(server);
    await flood(project, 20);
    expect(await server.connections()).toBe(1);
    await eventually("it is cut off", async () => {
      clock.advance(1_000);
      return (await server.connections()) === 0;
    });
    idle.destroy();
  });
});

/** A client that does nothing but what it is told. */
async function connectRaw(server: RequestServer, path: string): Promise<Socket> {
  const { hostname, port, host } = new URL(server.url);
  const socket = connect({ port: Number(port), host: hostname });
  socket.on("error", () => {});
  await new Promise<void>((resolve) => socket.once("connect", resolve));
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
  return socket;
}

/** Looks only at the ids, so that a thousand of them cost little. */
async function countingClient(server: RequestServer) {
  const socket = await connectRaw(server, "/events");
  let rest = "";
  let last = -1;
  let first: number | undefined;
  let ordered = true;
  socket.setEncoding("latin1").on("data", (text: string) => {
    rest += text;
    if (last === -1 && rest.includes("event: snapshot")) last = 0;
    const end = rest.lastIndexOf("\n\n");
    if (end === -1) return;
    for (const [, id] of rest.slice(0, end).matchAll(/^id: (\d+)$/gm)) {
      const seq = Number(id);
      first ??= seq;
      if (last > 0 && seq !== last + 1) ordered = false;
      last = seq;
    }
    rest = rest.slice(end + 2);
  });
  return {
    last: () => last,
    inOrderFrom: (before: number) => ordered && first === before + 1,
    close: () => void socket.destroy(),
  };
}
