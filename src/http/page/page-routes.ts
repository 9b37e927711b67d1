import { isEncrypted } from "../trusted-address.ts";
import { CODE_HEADER } from "../../contract/service/headers.ts";
import { endedPageSessionsView, pageCodeView, pageKeyView, pageSessionListView } from "../../contract/service/page.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import type { ServiceRoute, ServiceRequest } from "../served-route.ts";
import { PAGE_HEADERS, sendPageFile, type PageFiles } from "./page-file.ts";
import { sessionCookie, sessionSecrets } from "./session-cookie.ts";

/** The web page: its files, which need no token, and the sessions of browsers, which only a person can open. */
export function pageRoutes(files: PageFiles): readonly ServiceRoute[] {
  return [
    {
      kind: "service",
      method: "GET",
      path: "/",
      access: "anyone",
      about: { id: "page", summary: "The web page.", mediaType: "text/html" },
      handle: async (request) => sendPage(files, request),
    },
    {
      kind: "service",
      method: "GET",
      path: "/ui/:file",
      access: "anyone",
      about: { id: "page-file", summary: "A file of the web page.", mediaType: "*/*" },
      async handle(page) {
        const [, name = ""] = /^\/ui\/([\w.-]+)$/.exec(page.request.url?.split("?", 1)[0] ?? "") ?? [];
        const file = files(name);
        if (file === undefined) return refuse("not_found", "The page has no such file.", { hint: "Load it again." });
        sendPageFile(page, name, file);
        return undefined;
      },
    },
    {
      kind: "service",
      method: "POST",
      path: "/ui/codes",
      access: "person",
      about: {
        id: "open-page",
        summary: "Make a code with which a browser can sign in, once and soon.",
        output: pageCodeView,
      },
      async handle({ daemon, request }) {
        const scheme = isEncrypted(request) ? "https" : "http";
        return ok({ ...daemon.page.createCode(), url: `${scheme}://${request.headers.host ?? ""}/` });
      },
    },
    {
      kind: "service",
      method: "POST",
      path: "/ui/pairing-codes",
      access: "person",
      about: {
        id: "pair-page",
        summary: "Make a short code that a person types on another device to sign in, once and soon.",
        output: pageCodeView,
      },
      async handle({ daemon, request }) {
        const url = daemon.publicUrl?.() ?? `http://${request.headers.host ?? ""}/`;
        return ok({ ...daemon.page.createPairingCode(), url });
      },
    },
    {
      kind: "service",
      method: "POST",
      path: "/ui/sessions",
      access: "anyone",
      about: {
        id: "enter-page",
        summary: `Exchange the code in the header ${CODE_HEADER} for a session: a cookie and a key.`,
        output: pageKeyView,
      },
      handle: openSession,
    },
    {
      kind: "service",
      method: "GET",
      path: "/ui/sessions",
      access: "person",
      about: {
        id: "list-page-sessions",
        summary: "The browsers that are signed in.",
        output: pageSessionListView,
      },
      handle: async ({ daemon }) => ok({ sessions: daemon.page.list() }),
    },
    {
      kind: "service",
      method: "DELETE",
      path: "/ui/sessions",
      access: "person",
      about: {
        id: "leave-page",
        summary: "Sign out the browser that asks for it: its session and its open streams end.",
        output: endedPageSessionsView,
      },
      async handle({ daemon, credentials, request, response }) {
        response.setHeader("set-cookie", sessionCookie(request, "", 0));
        const session = credentials?.identity.kind === "person" ? credentials.identity.session : undefined;
        return ok({ ended: session !== undefined && daemon.page.endSession(session) ? [session] : [] });
      },
    },
    {
      kind: "service",
      method: "DELETE",
      path: "/ui/sessions/:id",
      access: "person",
      about: {
        id: "revoke-page-session",
        summary: "Sign out a browser, or `all` of them: their sessions and their open streams end.",
        output: endedPageSessionsView,
      },
      async handle({ daemon, request }) {
        const [, id = ""] = /^\/ui\/sessions\/(\w+)$/.exec(request.url?.split("?", 1)[0] ?? "") ?? [];
        if (id === ALL) return ok({ ended: daemon.page.endAllSessions() });
        if (daemon.page.endSession(id)) return ok({ ended: [id] });
        return refuse("not_found", "No browser is signed in under this id.", { hint: "See: agent-worker ui list" });
      },
    },
  ];
}

const ALL = "all";

async function openSession({ daemon, credentials, request, response }: ServiceRequest) {
  if (credentials?.identity.kind === "run") return refuse("forbidden", "Only a person may open the page.");
  const code = request.headers[CODE_HEADER];
  if (credentials !== undefined && code === undefined) {
    return refuse("invalid", `The header ${CODE_HEADER} is missing.`, { hint: "Ask for a code with POST /ui/codes." });
  }
  const browser = { name: request.headers["user-agent"] ?? "", secrets: sessionSecrets(request) };
  const opened = typeof code === "string" ? daemon.page.openSession(code, browser) : undefined;
  if (opened !== undefined) {
    response.setHeader("set-cookie", sessionCookie(request, opened.secret, opened.lastsMs));
    return ok({ session: opened.id, key: opened.key, challenge: daemon.page.challenge });
  }
  return refuse("unauthenticated", "This address was used before, or is too old.", {
    hint: "Get a new one with: agent-worker ui",
  });
}

/** For a checkout in which the page was not built. */
const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>agent-worker</title>
<h1>agent-worker</h1>
<p>The daemon that runs your team of agents is at work here. Its web page was not built: run <code>npm ci</code>.</p>
</html>
`;

function sendPage(files: PageFiles, request: ServiceRequest): undefined {
  const name = "index.html";
  const file = files(name);
  if (file !== undefined) {
    sendPageFile(request, name, file);
    return undefined;
  }
  request.response.writeHead(200, {
    ...request.headers,
    ...PAGE_HEADERS,
    "content-type": "text/html; charset=utf-8",
    "content-length": Buffer.byteLength(NOT_BUILT),
  });
  request.response.end(NOT_BUILT);
  return undefined;
}
