import { EVERY_OPERATION } from "../team/agent-caller.ts";
import { randomUUID } from "node:crypto";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { ToolChoice } from "../../../src/domain/agent/tool-choice.ts";
import { createPageSessions } from "../../../src/daemon/page-sessions.ts";
import { createHttpServer } from "../../../src/http/server.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { silentLog } from "../../../src/testing/silent-log.ts";
import { ok } from "../../../src/kernel/result.ts";
import { createMcpHandler } from "../../../src/mcp/mcp-handler.ts";
import { callTeamTool, readToolAvailability, runGrants } from "../../../src/operations/tools/team-tools.ts";
import type { ToolHost } from "../../../src/ports/tools.ts";
import type { DaemonContext, Identity, RunCredential } from "../../../src/runtime/daemon-context.ts";
import { scriptedEngine } from "../../../src/testing/scripted-engine.ts";
import { untilAborted } from "../engine/until-aborted.ts";
import { openLiveTestProject, type LiveTestProject } from "../team/running-project.ts";
import { NEVER_HELD } from "./never-held.ts";

/** The real server with the real `/mcp` in front of a project whose agents think for ever, and runCredentials at will. */
export interface McpRig extends AsyncDisposable {
  readonly project: LiveTestProject;
  readonly url: string;
  readonly personToken: string;
  /** The token of a run of this agent; disposed, the run is over. */
  open(credential: Omit<RunCredential, "project">): { readonly token: string } & Disposable;
  /** The same with the tools of the team. */
  openFor(agent: string, space?: string, definition?: ToolChoice): Promise<{ readonly token: string } & Disposable>;
  connect(token: string, era?: Era): Promise<Client>;
  /** A request of the 2025 protocol as it goes over the wire, unless the headers say otherwise. */
  post(token: string, message: unknown, headers?: Readonly<Record<string, string>>): Promise<Posted>;
}

export type Era = "legacy" | "modern";

export interface Posted {
  readonly status: number;
  readonly type: string;
  /** The JSON-RPC answer, from JSON or from the stream. */
  readonly message: { readonly [key: string]: unknown } | undefined;
}

export const REVIEW = "@review:main";

const FILES = {
  ".agents/alice.yaml": "name: alice\nbackend: mock\nprompt: { system: Review. }\n",
  ".agents/bob.yaml": "name: bob\nbackend: mock\nprompt: { system: Review. }\n",
  ".workflows/review.yaml": "name: review\nagents:\n  alice: { ref: alice }\n  bob: { ref: bob }\n",
  "moniro.yaml": "defaults:\n  budget: { hops: 1000000, turns: 1000000 }\n",
};

export async function openMcpRig(): Promise<McpRig> {
  const stack = new AsyncDisposableStack();
  try {
    const engine = scriptedEngine(({ signal }) => untilAborted(signal));
    const project = stack.use(await openLiveTestProject({ files: FILES, engine }));
    await project.open("review");
    const personToken = randomUUID();
    const identities = new Map<string, Identity>([[personToken, { kind: "person" }]]);
    const server = createHttpServer({
      daemon: daemonOf(project, identities),
      mcp: createMcpHandler(systemClock),
      log: silentLog,
      clock: systemClock,
    });
    const { port } = await server.listen({ host: "127.0.0.1", port: 0 });
    stack.defer(() => server.close());
    const url = `http://127.0.0.1:${port}/mcp`;

    const open: McpRig["open"] = (credential) => {
      const token = randomUUID();
      identities.set(token, { kind: "run", credential: { ...credential, project } });
      return { token, [Symbol.dispose]: () => void identities.delete(token) };
    };
    return {
      project,
      url,
      personToken,
      open,
      async openFor(agent, space = REVIEW, definition = {}) {
        const caller = {
          kind: "agent",
          name: agent,
          space,
          run: null,
          cause: null,
          operations: EVERY_OPERATION,
        } as const;
        return open({ caller, tools: await teamHost(project, caller, definition) });
      },
      async connect(token, era = "legacy") {
        const mode = era === "legacy" ? "legacy" : { pin: "2026-07-28" };
        const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
        const requestInit = { headers: { authorization: `Bearer ${token}` } };
        await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
        stack.defer(() => client.close());
        return client;
      },
      async post(token, message, headers = {}) {
        const response = await fetch(url, {
          method: "POST",
          headers: {
            authorization: `Bearer ${token}`,
            accept: "application/json, text/event-stream",
            "content-type": "application/json",
            ...headers,
          },
          body: typeof message === "string" ? message : JSON.stringify(message),
        });
        const text = await response.text();
        const type = response.headers.get("content-type") ?? "";
        return { status: response.status, type, message: messageIn(type, text) };
      },
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

function daemonOf(project: LiveTestProject, identities: ReadonlyMap<string, Identity>): DaemonContext {
  return {
    version: "9.9.9",
    node: "here",
    instance: "test",
    url: () => "http://127.0.0.1:1",
    phase: () => "ready",
    problems: () => [],
    keys: async () => [],
    hold: NEVER_HELD,
    project: () => Promise.resolve(ok(project)),
    openProjects: () => [project],
    identify: (token) => identities.get(token),
    page: createPageSessions(systemClock),
    prove: () => "",
    runCredentials: { size: 0 },
    shutdown: () => {},
  };
}

async function teamHost(
  { system }: LiveTestProject,
  caller: RunCredential["caller"],
  definition: ToolChoice,
): Promise<ToolHost> {
  const { defined, granted, unlisted } = runGrants(caller, await readToolAvailability(system, caller, definition));
  return {
    list: () =>
      [...defined, ...granted].map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    unlisted: () => unlisted,
    call: async ({ tool, args }) => ({
      kind: "result",
      ...(await callTeamTool(system, caller, tool, args, definition)),
    }),
  };
}

function messageIn(type: string, text: string): Posted["message"] {
  if (text === "") return undefined;
  const json = type.includes("event-stream") ? /^data: ([^\n]*)/m.exec(text)?.[1] : text;
  return json === undefined ? undefined : (JSON.parse(json) as Posted["message"]);
}
