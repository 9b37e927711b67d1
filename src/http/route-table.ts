import type { OwnProposal } from "../operations/core/define.ts";
import type { HealthParts } from "./health.ts";
import { describeRoutes } from "./openapi.ts";
import { operationRoutes } from "./operation-routes.ts";
import { describedProposals, ownProposalRoute } from "./own-proposal-routes.ts";
import type { PageFiles } from "./page/page-file.ts";
import { pageRoutes } from "./page/page-routes.ts";
import { createPathMatcher, type PathMatcher } from "./path-matcher.ts";
import { LARGE_BODY_BYTES } from "./request-body.ts";
import { requestRoutes } from "./requests/request-routes.ts";
import type { McpRoute, ServedRoute } from "./served-route.ts";
import { serviceRoutes } from "./service-routes.ts";
import { stopAgentRoute } from "./stop-agent.ts";
import { eventRoute } from "./streams/event-stream.ts";

/** All routes of the server, in one table. */
export function createRouteTable(
  parts: HealthParts & { readonly version: string; readonly pageFiles: PageFiles },
): PathMatcher<ServedRoute> {
  let description: unknown;
  const describe = (own: readonly OwnProposal[]): unknown =>
    own.length === 0
      ? (description ??= describeRoutes(rows, parts.version))
      : describeRoutes([...rows, ...describedProposals(own)], parts.version);
  const rows: readonly ServedRoute[] = [
    ...serviceRoutes(parts, describe),
    ...pageRoutes(parts.pageFiles),
    ...operationRoutes(),
    ownProposalRoute,
    stopAgentRoute,
    ...requestRoutes,
    eventRoute,
    ...["POST", "GET", "DELETE"].map(mcpRoute),
  ];
  return createPathMatcher(rows);
}

function mcpRoute(method: string): McpRoute {
  const id = `mcp-${method.toLowerCase()}`;
  const summary = "The Model Context Protocol over streamable HTTP.";
  return { kind: "mcp", method, path: "/mcp", bodyLimit: LARGE_BODY_BYTES, about: { id, summary } };
}
