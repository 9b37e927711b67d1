import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openMcpRig, REVIEW, type McpRig } from "../support/daemon/mcp-rig.ts";
import { eventually } from "../support/team/running-project.ts";

let rig: McpRig;
beforeAll(async () => {
  rig = await openMcpRig();
});
afterAll(() => rig[Symbol.asyncDispose]());

interface Notified {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

/** A client that listens, with everything it is told. */
async function listener(token: string): Promise<{ readonly client: Client; readonly heard: readonly Notified[] }> {
  const before = rig.project.events.subscribers;
  const client = await rig.connect(token);
  const heard = listenTo(client);
  await eventually("it listens", () => rig.project.events.subscribers > before);
  return { client, heard };
}

function listenTo(client: Client): Notified[] {
  const heard: Notified[] = [];
  client.fallbackNotificationHandler = async ({ method, params }) => void heard.push({ method, params });
  return heard;
}

const updatesOf = (heard: readonly Notified[], uri: string) =>
  heard.filter(({ method, params }) => method === "notifications/resources/updated" && params?.["uri"] === uri);

describe("[mcp.mention-push] clients of the 2025 protocol", () => {
  test("are told of their mentions, and that an inbox they subscribed to has changed", async () => {
    using alice = await rig.openFor("alice");
    using bob = await rig.openFor("bob");
    const { client, heard: toAlice } = await listener(alice.token);
    const { heard: toBob } = await listener(bob.token);
    await client.subscribeResource({ uri: "agent-worker://inbox" });

    const { id } = await rig.project.send(REVIEW, "@alice please look at the parser");
    await eventually("alice is told", () => toAlice.length >= 2);
    expect(toAlice).toContainEqual({
      method: "notifications/mention",
      params: expect.objectContaining({
        message: id,
        space: REVIEW,
        from: "user",
        content: "@alice please look at the parser",
      }),
    });
    expect(updatesOf(toAlice, "agent-worker://inbox").length).toBeGreaterThan(0);

    await rig.project.send(REVIEW, "@bob you too");
    await eventually("bob is told", () => toBob.length > 0);
    expect(toBob.map(({ method }) => method)).toEqual(["notifications/mention"]);
    expect(JSON.stringify(toBob)).not.toContain("parser");
    expect(JSON.stringify(toAlice)).not.toContain("you too");

    await client.unsubscribeResource({ uri: "agent-worker://inbox" });
    const before = updatesOf(toAlice, "agent-worker://inbox").length;
    await rig.project.send(REVIEW, "@alice once more");
    await eventually("alice is told again", () => JSON.stringify(toAlice).includes("once more"));
    expect(updatesOf(toAlice, "agent-worker://inbox").length).toBe(before);
  });

  test("cannot subscribe to what is not theirs", async () => {
    using alice = await rig.openFor("alice");
    const client = await rig.connect(alice.token);
    for (const uri of ["agent-worker://inbox/bob", "agent-worker://channel/@other", "agent-worker://documents/a.md"]) {
      await expect(client.subscribeResource({ uri }), uri).rejects.toThrow(/own here|cannot be watched/);
    }
  });

  test("hear nothing more once their run has ended, and the stream ends", async () => {
    const alice = await rig.openFor("alice");
    const response = await fetch(rig.url, {
      headers: { authorization: `Bearer ${alice.token}`, accept: "text/event-stream" },
    });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    alice[Symbol.dispose]();
    await rig.project.send(REVIEW, "@alice too late");
    expect(await response.text()).not.toContain("too late");
  });
});

describe("[mcp.mention-push] clients of the 2026 protocol", () => {
  test("listen to their inbox, and see in the change who mentioned them", async () => {
    using alice = await rig.openFor("alice");
    const client = await rig.connect(alice.token, "modern");
    const heard = listenTo(client);
    const before = rig.project.events.subscribers;
    const listening = await client.listen({
      resourceSubscriptions: ["agent-worker://inbox", "agent-worker://inbox/bob"],
    });
    await eventually("it listens", () => rig.project.events.subscribers > before);
    await rig.project.send(REVIEW, "@bob not for alice");
    const { id } = await rig.project.send(REVIEW, "@alice for you");
    await eventually("alice is told", () => heard.length > 0);
    expect(heard[0]).toMatchObject({
      method: "notifications/resources/updated",
      params: { uri: "agent-worker://inbox", _meta: { "agent-worker/mention": { message: id, from: "user" } } },
    });
    expect(JSON.stringify(heard)).not.toContain("not for alice");
    await listening.close();
    await eventually("nobody watches any more", () => rig.project.events.subscribers === before);
  });
});

test("a person follows any channel and any inbox", async () => {
  const { client, heard } = await listener(rig.personToken);
  await client.subscribeResource({ uri: "agent-worker://channel/@review" });
  await client.subscribeResource({ uri: "agent-worker://inbox/bob@review" });
  await rig.project.send(REVIEW, "@bob and everybody");
  await eventually("both are told", () => heard.length >= 2);
  expect(new Set(heard.map(({ params }) => params?.["uri"]))).toEqual(
    new Set(["agent-worker://channel/@review", "agent-worker://inbox/bob@review"]),
  );
});

test("when the server closes, those who listen are let go", async () => {
  const own = await openMcpRig();
  const alice = await own.openFor("alice");
  const response = await fetch(own.url, {
    headers: { authorization: `Bearer ${alice.token}`, accept: "text/event-stream" },
  });
  await own[Symbol.asyncDispose]();
  await expect(response.text()).resolves.toBe("");
});
