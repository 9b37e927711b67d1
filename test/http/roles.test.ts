import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { routes } from "../../src/contract/routes.gen.ts";
import { implementations } from "../../src/operations/registry.gen.ts";
import { openHttpRig, type Answered, type HttpRig } from "../support/daemon/http-rig.ts";

/**
 * Every route and every kind of token. What a run's token may reach is written out here, and not asked of the code:
 * whoever opens a route to agents, or closes one, says so in this table.
 */
const FOR_RUNS = new Set([
  "send-message",
  "peek-channel",
  "read-channel",
  "read-inbox",
  "ack-deliveries",
  "show-workspace",
  "list-members",
  "set-status",
  "list-memory",
  "search-memory",
  "get-memory",
  "set-memory",
  "ask-agent",
  "forget-memory",
  "list-notes",
  "list-questions",
  "read-note",
  "add-note",
  "list-todos",
  "add-todo",
  "finish-todo",
  "read-conversation",
  "list-documents",
  "create-document",
  "read-document",
  "write-document",
  "append-document",
  "create-resource",
  "read-resource",
  "list-ballots",
  "create-ballot",
  "show-ballot",
  "cast-vote",
  "cancel-ballot",
  "suggest-document",
  "list-suggestions",
  "accept-suggestion",
  "reject-suggestion",
  "submit-feedback",
  "suggest-soul",
  "add-rule",
  "list-rules",
  "remove-rule",
  "grant-tools",
  "revoke-tools",
  "list-grants",
  "open-space",
  "close-space",
  "list-spaces",
]);
/** What a person cannot say in an agent's place. */
const FOR_RUNS_ONLY = new Set(["set-status"]);
/** With the status nobody in particular gets: a file of the page that does not exist is simply not there. */
const FOR_ANYONE = new Map([
  ["GET /health", 200],
  ["GET /", 200],
  ["GET /ui/:file", 404],
]);
const PAGE = new Set(["GET /", "GET /ui/:file"]);
const FOR_BOTH = new Set(["POST /mcp", "GET /mcp", "DELETE /mcp"]);

const OTHERS = [
  "GET /",
  "GET /ui/:file",
  "POST /ui/codes",
  "POST /ui/pairing-codes",
  "POST /ui/sessions",
  "GET /ui/sessions",
  "DELETE /ui/sessions",
  "DELETE /ui/sessions/:id",
  "GET /health",
  "POST /shutdown",
  "GET /openapi.json",
  "POST /run",
  "POST /serve",
  "GET /events",
  "POST /mcp",
  "GET /mcp",
  "DELETE /mcp",
  "POST /agents/:name/stop",
];

interface Row {
  readonly route: string;
  readonly operation: string | undefined;
}

const TABLE: readonly Row[] = [
  ...routes.map(({ method, path, operation }) => ({ route: `${method} ${path}`, operation })),
  ...OTHERS.map((route) => ({ route, operation: undefined })),
];

let rig: HttpRig;
beforeAll(async () => {
  rig = await openHttpRig();
});
afterAll(() => rig[Symbol.asyncDispose]());

/** With nothing in it: whoever is let in is told what is missing, or that there is no such thing. */
function knock({ route }: Row, token: string | null): Promise<Answered> {
  const [method = "", path = ""] = route.split(" ");
  const body = method === "POST" || method === "PUT" ? {} : undefined;
  const there = (method === "GET" ? path.replace(":target", "@review") : path).replace(":agent", "alice");
  return rig.ask(method, there.replaceAll(/:\w+/g, "nobody"), { token, ...(body === undefined ? {} : { body }) });
}

async function statuses(token: string | null): Promise<Record<string, number>> {
  const answers: [string, number][] = [];
  for (const row of TABLE) answers.push([row.route, (await knock(row, token)).status]);
  return Object.fromEntries(answers);
}

/** The face behind `/mcp` has its own reasons to refuse a method. */
function isLetIn(route: string, status: number): boolean {
  return FOR_BOTH.has(route) ? ![401, 403].includes(status) : ![401, 403, 405, 415, 500, 503].includes(status);
}

describe("every route and every role (F18)", () => {
  test("[security.roles] without a token only the status and the files of the page are there", async () => {
    for (const [route, status] of Object.entries(await statuses(null))) {
      expect([route, status]).toEqual([route, FOR_ANYONE.get(route) ?? 401]);
    }
  });

  test("[security.roles] a wrong token is refused everywhere, also where none is needed", async () => {
    for (const [route, status] of Object.entries(await statuses("awr_wrong")))
      expect([route, status]).toEqual([route, 401]);
  });

  test("[security.roles] the token of a run that is over is a wrong token", async () => {
    const run = rig.openRun("alice");
    expect((await rig.ask("GET", "/members", { token: run.token })).status).toBe(200);
    run[Symbol.dispose]();
    for (const [route, status] of Object.entries(await statuses(run.token)))
      expect([route, status]).toEqual([route, 401]);
  });

  test("[security.roles] the token of a run is let in where agents are, and nowhere else", async () => {
    using run = rig.openRun("alice");
    const answers = await statuses(run.token);
    for (const { route, operation } of TABLE) {
      const expected = FOR_BOTH.has(route) || PAGE.has(route) || (operation !== undefined && FOR_RUNS.has(operation));
      const status = answers[route] ?? 0;
      if (expected) expect([route, status, isLetIn(route, status)]).toEqual([route, status, true]);
      else expect([route, status]).toEqual([route, 403]);
    }
  });

  test("[security.roles] a person is let in everywhere but where an agent speaks of itself", async () => {
    const answers = await statuses(rig.token);
    for (const { route, operation } of TABLE) {
      const status = answers[route] ?? 0;
      if (operation !== undefined && FOR_RUNS_ONLY.has(operation)) expect([route, status]).toEqual([route, 403]);
      else expect([route, status, isLetIn(route, status)]).toEqual([route, status, true]);
    }
  });

  test("[security.config-person-only] no run changes definitions, decides approvals or stops anything", () => {
    const open = Object.values(implementations).filter(({ access }) => {
      const caller = { kind: "agent", name: "alice", space: "@review:main", run: null, cause: null } as const;
      return access(caller) === undefined;
    });
    expect(open.map(({ name }) => name).toSorted()).toEqual([...FOR_RUNS].toSorted());
  });
});

describe("the token of another run (F18)", () => {
  test("[security.roles] opens nothing that belongs to an agent it is not for", async () => {
    using bob = rig.openRun("bob");
    await rig.project.send("alice@review", "for alice alone");
    const { deliveries } = (await rig.ask("GET", "/inbox?target=alice")).json as { deliveries: { id: string }[] };
    const [delivery] = deliveries;
    if (delivery === undefined) throw new Error("alice has no mail");
    const asBob = (method: string, path: string, body?: unknown) =>
      rig.ask(method, path, { token: bob.token, ...(body === undefined ? {} : { body }) });

    expect((await asBob("GET", "/inbox?target=alice")).status).toBe(403);
    expect((await asBob("GET", "/inbox")).json).toEqual({ deliveries: [], waits: [], obstacles: [] });
    expect((await asBob("POST", "/inbox/ack", { ids: [delivery.id] })).status).toBeGreaterThanOrEqual(400);
    expect((await asBob("POST", "/inbox/ack", { ids: [delivery.id], agent: "alice" })).status).toBe(404);
    expect((await asBob("GET", "/agents/alice/memory")).status).toBe(403);
    expect((await asBob("PUT", "/agents/alice/memory/k", { value: "v" })).status).toBe(403);
    expect((await asBob("GET", "/channel?target=alice")).status).toBe(403);
    expect((await asBob("POST", "/send", { to: "alice@other", message: "x" })).status).toBe(403);
    expect((await rig.ask("GET", "/inbox?target=alice")).json).toMatchObject({ deliveries: [{ id: delivery.id }] });
  });

  test("[security.roles] and a run in direct messages has no workspace to look into", async () => {
    using alice = rig.openRun("alice", "alice");
    expect((await rig.ask("GET", "/documents", { token: alice.token })).status).toBe(403);
    expect((await rig.ask("GET", "/documents?target=@review", { token: alice.token })).status).toBe(403);
    expect((await rig.ask("GET", "/agents/alice/memory", { token: alice.token })).status).toBe(200);
  });
});
