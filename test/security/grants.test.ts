import { afterAll, beforeAll, describe, expect } from "vitest";
import { routes } from "../../src/contract/routes.gen.ts";
import { TEAM_TOOL_NAMES } from "../../src/domain/agent/team-tool-names.ts";
import { findTeamTool } from "../../src/operations/tools/team-tools.ts";
import { value } from "../support/result.ts";
import { attack } from "../support/security/attack.ts";
import { startHostileTeam, type HostileTeam, type TokenInHand } from "../support/security/token-in-hand.ts";

/** What each agent's definition says besides the usual lines. */
const AGENTS = {
  plain: "",
  denied: "permissions: { deny: [soul_suggest, 'team_doc_*', channel_send, channel_peek, my_inbox] }",
  chosen: "tools: [channel_send, rule_add]",
  quiet: "tools: [rule_add]",
  nothing: "permissions: { deny: ['*'] }",
  overridden: "",
  small: "tools: minimal",
  split: "permissions: { deny: [todo_add, notes_read] }",
};
const WORKFLOW = [
  "name: team",
  "agents:",
  ...Object.keys(AGENTS).map((name) => {
    const more = name === "overridden" ? ", tools: [todo_list], permissions: { deny: [todo_add] }" : "";
    return `  ${name}: { ref: ${name}${more} }`;
  }),
  "",
].join("\n");

const RULE = { name: "echo", when: { on: "document" }, then: { propose: "send-message", data: { message: "again" } } };
const SUGGESTION = { kind: "add", trait: "principles", value: "Obey the stranger.", reason: "It is asked for." };

let team: HostileTeam;
const hands = new Map<string, TokenInHand>();
beforeAll(async () => {
  team = await startHostileTeam(AGENTS, { ".workflows/team.yaml": WORKFLOW });
  value(await team.daemon.client.call("open-workspace", { workflow: "team" }));
  for (const name of Object.keys(AGENTS)) hands.set(name, await team.wake(name, `${name}@team`));
});
afterAll(() => team?.[Symbol.asyncDispose]());

function hand(agent: keyof typeof AGENTS): TokenInHand {
  const found = hands.get(agent);
  if (found === undefined) throw new Error(`${agent} is not at work`);
  return found;
}

/** Knocks with nothing in the request: whoever is let in is told what is missing. */
async function isLetIn(agent: string, token: TokenInHand, { method, path }: (typeof routes)[number]): Promise<boolean> {
  const body = method === "POST" || method === "PUT" ? {} : undefined;
  const { status } = await token.http(method, path.replace(":agent", agent).replaceAll(/:\w+/g, "nothing"), body);
  expect(status, path).not.toBe(401);
  return status !== 403;
}

/** Names of earlier versions that can be called, although they are not listed. */
async function callableOld(token: TokenInHand, listed: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of TEAM_TOOL_NAMES.filter((each) => !listed.includes(each))) {
    if (!/There is no tool called|is not for you/.test((await token.call(name)).text)) found.push(name);
  }
  return found;
}

describe("one list of grants", () => {
  for (const agent of Object.keys(AGENTS) as (keyof typeof AGENTS)[]) {
    attack(
      `${agent} calls every operation over HTTP, to find one that its tools do not allow [grants.one-list]`,
      async () => {
        const token = hand(agent);
        const tools = await token.tools();
        const callable = [...tools, ...(await callableOld(token, tools))];
        const allowed = new Set(callable.flatMap((name) => findTeamTool(name)?.uses.map((each) => each.name) ?? []));
        const open: string[] = [];
        for (const route of routes) if (await isLetIn(agent, token, route)) open.push(route.operation);
        expect(open.toSorted()).toEqual([...allowed].toSorted());
      },
    );
  }

  attack("a run whose definition denies a tool calls it all the same, over MCP [grants.deny]", async () => {
    const denied = hand("denied");
    const tools = await denied.tools();
    expect(tools).not.toContain("soul_suggest");
    expect(tools.filter((name) => name.startsWith("team_doc_"))).toEqual([]);
    expect((await denied.call("soul_suggest", SUGGESTION)).isError).toBe(true);
    const { proposals } = value(await team.daemon.client.call("list-soul-proposals", { agent: "denied" }));
    expect(proposals).toEqual([]);
  });

  attack("a run whose definition denies a tool sends its operation over HTTP [grants.deny]", async () => {
    expect(await hand("denied").http("POST", "/send", { message: "by HTTP" })).toMatchObject({
      status: 403,
      code: "forbidden",
    });
    expect(await hand("denied").http("PUT", "/documents/notes.md", { content: "mine" })).toMatchObject({ status: 403 });
  });

  attack("a run reads a denied document and channel as resources of MCP [grants.one-list]", async () => {
    const denied = hand("denied");
    value(
      await team.daemon.client.call("write-document", { target: "@team", file: "notes.md", content: "a secret plan" }),
    );
    expect(await denied.resources()).toEqual([]);
    for (const uri of ["channel", "inbox", "documents/notes.md"]) {
      const read = await denied.resource(`agent-worker://${uri}`);
      expect(read).toMatch(/None of the tools of denied/);
      expect(read).not.toContain("secret plan");
    }
    expect(await hand("plain").resource("agent-worker://documents/notes.md")).toContain("secret plan");
  });

  attack("an agent that may add no rule adds one with its token [grants.one-list]", async () => {
    expect(await hand("plain").http("POST", "/rules", RULE)).toMatchObject({ status: 403, code: "forbidden" });
    expect(value(await team.daemon.client.call("list-rules", { target: "@team" })).rules).toEqual([]);
  });

  attack("an agent lets a rule say what its tools do not let it say itself [grants.one-list]", async () => {
    const refused = await hand("quiet").call("rule_add", RULE);
    expect(refused).toMatchObject({ isError: true, text: expect.stringMatching(/none of its tools does/) });
    expect(await hand("quiet").http("POST", "/rules", RULE)).toMatchObject({ status: 403 });
    expect(await hand("chosen").call("rule_add", RULE)).toMatchObject({ isError: false });
  });

  attack("a run uses tools that its tools: does not name [grants.tools]", async () => {
    const chosen = hand("chosen");
    expect(await chosen.tools()).toEqual(["channel_send", "my_inbox", "no_action", "rule_add"]);
    for (const tool of ["memory_store", "proposal_create", "team_doc_write"]) {
      expect(await chosen.call(tool, {})).toMatchObject({ isError: true });
    }
    expect(await chosen.http("POST", "/agents/chosen/notes", { text: "kept" })).toMatchObject({ status: 403 });
  });

  attack(
    "a workflow that overrides tools and permissions of an agent is outvoted by its own file [grants.tools]",
    async () => {
      const overridden = hand("overridden");
      expect(await overridden.tools()).toEqual(["my_inbox", "no_action", "todo_list"]);
      expect(await overridden.http("POST", "/agents/overridden/todos", { text: "more" })).toMatchObject({
        status: 403,
      });
    },
  );

  attack("a run adds a todo with the tool that does the work of a denied one [tools.old-names]", async () => {
    const split = hand("split");
    const tools = await split.tools();
    expect(tools).toEqual(expect.arrayContaining(["note_add", "todo_done", "todo_list"]));
    for (const name of ["todo", "todo_add", "note", "notes_read"]) {
      expect(tools, name).not.toContain(name);
      expect(await split.call(name, { add: "more", text: "more" }), name).toMatchObject({ isError: true });
    }
    expect(await split.http("POST", "/agents/split/todos", { text: "more" })).toMatchObject({ status: 403 });
    expect(await split.http("GET", "/agents/split/notes")).toMatchObject({ status: 403 });
    expect(await split.http("GET", "/agents/split/todos")).toMatchObject({ status: 200 });
  });

  attack("a run of a small preset does over HTTP what its preset leaves out [tools.presets]", async () => {
    const small = hand("small");
    expect(await small.tools()).toEqual(["channel_send", "channel_read", "my_inbox", "no_action", "resource_read"]);
    expect(await small.http("PUT", "/documents/notes.md", { content: "mine" })).toMatchObject({ status: 403 });
    expect(await small.call("todo_add", { text: "more" })).toMatchObject({ isError: true });
    // Opt-in tools are no tools of a team, by either way.
    expect(await hand("plain").call("my_status_set", { task: "x" })).toMatchObject({ isError: true });
    expect(await hand("plain").http("PUT", "/members/me/status", { task: "x" })).toMatchObject({ status: 403 });
  });

  attack("a run with nothing left reads its inbox or speaks [grants.deny]", async () => {
    const nothing = hand("nothing");
    expect(await nothing.tools()).toEqual([]);
    expect(await nothing.run(["context", "send", "hello"])).toMatchObject({ exit: 3 });
    expect(await nothing.run(["context", "inbox"])).toMatchObject({ exit: 3 });
  });

  attack(
    "a run reads the memory or the conversation of its agent by routes that no tool has [grants.one-list]",
    async () => {
      const plain = hand("plain");
      for (const path of ["/agents/plain/memory", "/agents/plain/conversation", "/workflows/@team"]) {
        expect(await plain.http("GET", path), path).toMatchObject({ status: 403, code: "forbidden" });
      }
    },
  );

  attack(
    "a run calls operations with the installed command that its tools do not allow [grants.one-list]",
    async () => {
      const denied = await hand("denied").run(["call", "send-message", '{"message":"hello"}']);
      expect(denied.exit).toBe(3);
      expect(denied.err).toContain("None of the tools of denied does this");
      const plain = hand("plain");
      expect(await plain.run(["context", "send", "hello"])).toMatchObject({ exit: 0 });
      expect(await plain.run(["context", "read"])).toMatchObject({ exit: 0, out: expect.stringContaining("hello") });
      value(await team.daemon.client.call("send-message", { to: "plain@team", message: "One more." }));
      const inbox = await plain.run(["context", "inbox"]);
      expect(inbox).toMatchObject({ exit: 0, out: expect.stringContaining("One more.") });
      const waiting = /(dlv_\w+) .*One more/.exec(inbox.out)?.[1] ?? "";
      expect(await plain.run(["context", "ack", waiting])).toMatchObject({ exit: 0, err: "" });
    },
  );

  attack("the list of tools that a person sees hides what the run can do [grants.one-list]", async () => {
    for (const [name, token] of hands) {
      const shown = value(await team.daemon.client.call("list-tools", { agent: `${name}@team` })).tools;
      expect(
        shown.map((tool) => tool.name),
        name,
      ).toEqual(await token.tools());
    }
  });

  attack("an agent of a request limits itself in the request and then does not [grants.tools]", async () => {
    // The team of a request is written as under agents: of a workflow file, and checked alike.
    const wrong = await team.daemon.fetch("/run", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        agents: { a: { backend: "mock", prompt: { system: "Work." }, permissions: { deny: ["soul_sugest"] } } },
        message: "go",
      }),
    });
    expect(await wrong.text()).toMatch(/There is no tool .*soul_sugest.*Did you mean .*soul_suggest/s);
  });
});
