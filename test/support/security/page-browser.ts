import { createHmac } from "node:crypto";
import { once } from "node:events";
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { TestDaemon } from "../daemon/daemon.ts";

/**
 * A browser with the page of one or more daemons, as far as signing in is concerned: it sends its cookies to every port
 * of a host, stores keys by origin, and proves its key as the page does.
 */
export interface PageBrowser {
  /** As `agent-worker ui` makes it do. */
  signIn(daemon: Pick<TestDaemon, "client" | "url">): Promise<PageAnswer>;
  /** Exchanges a code. */
  enter(origin: string, code: string): Promise<PageAnswer>;
  /** A request of the page of this origin, with both halves of its session and one more attempt for a new challenge. */
  ask(origin: string, method: string, path: string, more?: PageRequest): Promise<PageAnswer>;
  /** An open stream of the page of this origin. */
  stream(origin: string, path?: string, more?: PageRequest): Promise<PageStream>;
  /** What the browser sends as `cookie` to this host, whatever the port. */
  cookies(): string;
  setCookie(name: string, value: string): void;
  /** What the page of this origin has stored. */
  stored(origin: string): StoredKey;
}

export interface StoredKey {
  readonly session: string;
  readonly key: string;
  readonly challenge: string;
}

export interface PageRequest {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface PageAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly json: Readonly<Record<string, unknown>>;
}

export interface PageStream {
  /** Everything that has arrived. */
  text(): string;
  readonly ended: Promise<void>;
  readonly isOpen: () => boolean;
  close(): void;
}

export function openPageBrowser(name = "Mozilla/5.0 (X11; Linux x86_64) Test/1.0"): PageBrowser {
  const cookies = new Map<string, string>();
  const stored = new Map<string, StoredKey>();
  const storedAt = (origin: string): StoredKey => stored.get(origin) ?? { session: "", key: "", challenge: "" };
  const cookieText = (): string => [...cookies].map(([each, value]) => `${each}=${value}`).join("; ");

  const send = async (origin: string, method: string, path: string, more: PageRequest = {}) => {
    const body = more.body === undefined ? undefined : JSON.stringify(more.body);
    const response = await sendRequest(`${origin}${path}`, method, body, {
      "user-agent": name,
      "sec-fetch-site": "same-origin",
      ...(method === "GET" ? {} : { origin }),
      ...(cookies.size === 0 ? {} : { cookie: cookieText() }),
      ...more.headers,
    });
    for (const line of response.headers["set-cookie"] ?? []) {
      const [, cookie = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (line.includes("Max-Age=0")) cookies.delete(cookie);
      else cookies.set(cookie, value);
    }
    return response;
  };
  const proved = async (origin: string, method: string, path: string, more: PageRequest = {}) => {
    const attempt = () => {
      const headers = { authorization: `Bearer ${provedToken(storedAt(origin), new URL(origin).host)}` };
      return send(origin, method, path, { ...more, headers: { ...headers, ...more.headers } });
    };
    const first = await attempt();
    const { "x-agent-worker-challenge": challenge } = first.headers;
    if (first.statusCode !== 401 || challenge === storedAt(origin).challenge) return first;
    first.resume();
    stored.set(origin, { ...storedAt(origin), challenge: String(challenge) });
    return attempt();
  };
  const enter = async (origin: string, code: string): Promise<PageAnswer> => {
    const answer = await readAnswer(
      await send(origin, "POST", "/ui/sessions", { headers: { "x-agent-worker-code": code } }),
    );
    if (answer.status === 200) stored.set(origin, answer.json as unknown as StoredKey);
    return answer;
  };

  return {
    enter,
    signIn: async ({ client, url }) => enter(url, (await client.openPage()).code),
    ask: async (origin, method, path, more) => readAnswer(await proved(origin, method, path, more)),
    async stream(origin, path = "/events?live=1", more = {}) {
      const response = await proved(origin, more.body === undefined ? "GET" : "POST", path, more);
      if (response.statusCode !== 200) throw new Error(`the stream was answered with ${response.statusCode}`);
      let text = "";
      let open = true;
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("error", () => {});
      const ended = once(response, "close").then(() => void (open = false));
      return { text: () => text, ended, isOpen: () => open, close: () => response.destroy() };
    },
    cookies: cookieText,
    setCookie: (cookie, value) => {
      // A cookie with a longer path is sent first.
      const rest = [...cookies];
      cookies.clear();
      for (const [each, kept] of [[cookie, value] as const, ...rest]) cookies.set(each, kept);
    },
    stored: storedAt,
  };
}

/** The token that a page makes of what it has stored. */
export function provedToken({ session, key, challenge }: StoredKey, host: string): string {
  return `awu_${createHmac("sha256", key).update(`${challenge}\n${host}`).digest("hex")}.${session}`;
}

/** A request with exactly these headers. */
export async function askWith(
  url: string,
  headers: Readonly<Record<string, string>>,
  method = "GET",
): Promise<PageAnswer> {
  return readAnswer(await sendRequest(url, method, undefined, headers));
}

async function sendRequest(
  url: string,
  method: string,
  body: string | undefined,
  headers: Readonly<Record<string, string>>,
): Promise<IncomingMessage> {
  const typed =
    body === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  const request = httpRequest(url, { method, agent: false, headers: { ...typed, ...headers } });
  request.end(body);
  const [response] = (await once(request, "response")) as [IncomingMessage];
  request.on("error", () => {});
  return response;
}

async function readAnswer(response: IncomingMessage): Promise<PageAnswer> {
  const { statusCode: status = 0, headers } = response;
  let text = "";
  if (headers["content-type"]?.startsWith("text/event-stream") === true) response.destroy();
  else for await (const chunk of response.setEncoding("utf8")) text += String(chunk);
  const isJson = headers["content-type"]?.startsWith("application/json") === true;
  return { status, headers, json: isJson && text !== "" ? (JSON.parse(text) as Record<string, unknown>) : {} };
}
