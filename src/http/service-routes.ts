import { z } from "zod";
import { ok } from "../kernel/result.ts";
import { createHealthRoute, type HealthParts } from "./health.ts";
import type { ServiceRoute, Visit } from "./served-route.ts";

/** What is asked of the daemon itself. */
export function serviceRoutes(parts: HealthParts, describe: () => unknown): readonly ServiceRoute[] {
  return [
    createHealthRoute(parts),
    {
      kind: "service",
      method: "POST",
      path: "/shutdown",
      access: "person",
      about: {
        id: "shutdown",
        summary: "Stop the daemon. What is under way is parked and goes on with the next one.",
        output: z.object({ status: z.literal("draining") }),
      },
      async answer({ hosting, response }) {
        response.once("close", () => hosting.shutdown());
        return ok({ status: "draining" });
      },
    },
    {
      kind: "service",
      method: "GET",
      path: "/openapi.json",
      access: "person",
      about: { id: "openapi", summary: "This description." },
      answer: async () => ok(describe()),
    },
    {
      kind: "service",
      method: "GET",
      path: "/",
      access: "anyone",
      about: { id: "welcome", summary: "A page for people who come with a browser.", mediaType: "text/html" },
      answer: async (visit) => showPage(visit),
    },
  ];
}

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>agent-worker</title>
<h1>agent-worker</h1>
<p>The daemon that runs your team of agents is at work here. Speak to it with the command <code>agent-worker</code>.</p>
</html>
`;

function showPage({ response, headers }: Visit): undefined {
  response.writeHead(200, {
    ...headers,
    "content-type": "text/html; charset=utf-8",
    "content-length": Buffer.byteLength(PAGE),
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "x-frame-options": "DENY",
  });
  response.end(PAGE);
}
