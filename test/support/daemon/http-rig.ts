import { once } from "node:events";
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { expect } from "vitest";
import { routes } from "../../../src/contract/routes.gen.ts";
import { REFUSAL_ANSWERS } from "../../../src/contract/service/errors.ts";
import { createDaemonContext } from "../../../src/daemon/daemon-context.ts";
import { createOpenProjects } from "../../../src/daemon/open-projects.ts";
import { openPageFiles } from "../../../src/daemon/page-files.ts";
import { createPageSessions } from "../../../src/daemon/page-sessions.ts";
import { createPersonToken } from "../../../src/daemon/person-token.ts";
import { createRunCredentials } from "../../../src/daemon/run-credentials.ts";
import { createPathMatcher } from "../../../src/http/path-matcher.ts";
import { refusals } from "../../../src/http/refusals.gen.ts";
import { createHttpServer, type HttpServerParts } from "../../../src/http/server.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { silentLog } from "../../../src/testing/silent-log.ts";
import { createMcpHandler } from "../../../src/mcp/mcp-handler.ts";
import type { DaemonContext } from "../../../src/runtime/daemon-context.ts";
import { recordingTools } from "../../../src/testing/recording-tools.ts";
import { scriptedEngine } from "../../../src/testing/scripted-engine.ts";
import { untilAborted } from "../engine/until-aborted.ts";
import { openLiveTestProject, type LiveTestProject } from "../team/running-project.ts";
import { EVERY_OPERATION } from "../team/agent-caller.ts";
import { REVIEW, TEAM } from "../team/team.ts";
import { NEVER_HELD } from "./never-held.ts";

/** The daemon's server as it is, on a free port, in front of two projects whose agents think for ever. */
export interface HttpRig extends AsyncDisposable {
  readonly port: number;
  readonly token: string;
  /** What requests are about that name no project: the team, with `review` open. */
  readonly project: LiveTestProject;
  /** Another one: the same team, nothing open. */
  readonly second: LiveTestProject;
  /** The token of a run of this agent. Disposed, the run is over. */
  openRun(agent: string, space?: string): { readonly token: string } & Disposable;
  enter(phase: ReturnType<DaemonContext["phase"]>): void;
  degrade(problem: string): void;
  readonly shutdowns: () => number;
  /** A request as a program makes it, with the person's token unless another is given. */
  ask(method: string, path: string, options?: Asking): Promise<Answered>;
  /** Bytes, as they are; resolves with what came back when the connection ends. */
  raw(bytes: string | Buffer): Promise<string>;
  close(): Promise<void>;
}

export interface Asking {
  /** Null: none. */
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Sent as JSON; text as it is. */
  readonly body?: unknown;
}

export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Empty when the answer is no JSON. */
  readonly json: Readonly<Record<string, unknown>>;
  /** The error's, when it is one. */
  readonly code: string | undefined;
  readonly message: string | undefined;
}

export async function openHttpRig(
  options: Partial<Pick<HttpServerParts, "timeouts" | "log" | "allowedHosts" | "pageFiles" | "clock">> = {},
): Promise<HttpRig> {
  const stack = new AsyncDisposableStack();
  try {
    const engine = scriptedEngine(({ signal }) => untilAborted(signal));
    const project = stack.use(await openLiveTestProject({ files: TEAM, engine }));
    const second = stack.use(await openLiveTestProject({ files: TEAM, engine }));
    await project.open("review");
    const token = createPersonToken();
    const runCredentials = createRunCredentials(() => "");
    let phase: ReturnType<DaemonContext["phase"]> = "ready";
    const problems: string[] = [];
    let shutdowns = 0;
    const byDir = new Map([project, second].map((each) => [each.dir, each]));
    const projects = createOpenProjects({
      first: project.dir,
      openProject: async (dir) => byDir.get(dir) ?? Promise.reject(new Error(`${dir} is none of ours`)),
      known: { list: () => [], remember: () => {}, forget: () => {} },
      storeIdOf: () => undefined,
      clock: options.clock ?? systemClock,
      log: silentLog,
    });
    const server = createHttpServer({
      daemon: createDaemonContext({
        version: "1.2.3",
        node: "here",
        instance: "own_test",
        url: () => "http://127.0.0.1:1",
        phase: () => phase,
        problems: () => problems,
        keys: async () => [],
        hold: NEVER_HELD,
        page: createPageSessions(options.clock ?? systemClock),
        projects,
        token,
        runCredentials,
        shutdown: () => void (shutdowns += 1),
      }),
      mcp: createMcpHandler(systemClock),
      log: silentLog,
      clock: systemClock,
      pageFiles: openPageFiles(),
      ...options,
    });
    const { port } = await server.listen({ host: "127.0.0.1", port: 0 });
    stack.defer(() => server.close());
    return {
      port,
      token: token.text,
      project,
      second,
      openRun: (name, space = REVIEW) =>
        runCredentials.issue({
          project,
          caller: { kind: "agent", name, space, run: null, cause: null, operations: EVERY_OPERATION },
          tools: recordingTools(),
        }),
      enter: (next) => void (phase = next),
      degrade: (problem) => void problems.push(problem),
      shutdowns: () => shutdowns,
      ask: async (method, path, asking = {}) => {
        const answered = await ask(port, method, path, { token: token.text, ...asking });
        expectDescribed(method, path, answered);
        return answered;
      },
      raw: (bytes) => raw(port, bytes),
      close: () => server.close(),
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

const described = createPathMatcher(routes);
/** Of every route: they come from the checks before the operation. */
const OF_EVERY_ROUTE = [
  "unauthenticated",
  "forbidden",
  "invalid",
  "not_found",
  "too_large",
  "untrusted",
  "limited",
  "unavailable",
];

/** Every refusal that a test sees is in the description of its route. */
function expectDescribed(method: string, path: string, { code }: Answered): void {
  const [pathname = ""] = path.split("?");
  const operation = described.find(method, pathname)?.row.operation;
  if (operation === undefined || code === undefined || !(code in REFUSAL_ANSWERS)) return;
  expect([...OF_EVERY_ROUTE, ...refusals[operation]], `${method} ${path} refused`).toContain(code);
}

async function ask(port: number, method: string, path: string, { token, headers, body }: Asking): Promise<Answered> {
  const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  const request = httpRequest({
    port,
    host: "127.0.0.1",
    method,
    path,
    agent: false,
    headers: {
      ...(token == null ? {} : { authorization: `Bearer ${token}` }),
      ...(text === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
      ...headers,
    },
  });
  // After the answer came, the server may have had enough of what was still being sent.
  request.on("error", () => {});
  request.end(text);
  const [response] = (await once(request, "response")) as [IncomingMessage];
  return readAnswer(response);
}

/** The whole of it, unless it is a stream, which is left at once. */
async function readAnswer(response: IncomingMessage): Promise<Answered> {
  const { statusCode: status = 0, headers } = response;
  let text = "";
  if (headers["content-type"]?.startsWith("text/event-stream") === true) response.destroy();
  else for await (const chunk of response.setEncoding("utf8")) text += String(chunk);
  const json = headers["content-type"]?.startsWith("application/json") === true && text !== "" ? JSON.parse(text) : {};
  const { error } = json as { error?: { code?: string; message?: string } };
  return { status, headers, text, json: json as Answered["json"], code: error?.code, message: error?.message };
}

function raw(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => void socket.write(bytes));
    socket.setEncoding("latin1").on("data", (chunk) => (text += String(chunk)));
    socket.on("error", () => {}).on("close", () => resolve(text));
  });
}
