import type { OwnProposal } from "../operations/core/define.ts";
import { z } from "zod";

import { ok } from "../kernel/result.ts";
import { createHealthRoute, type HealthParts } from "./health.ts";
import { openProjectOf } from "./request-project.ts";
import type { ServiceRoute } from "./served-route.ts";

/** Routes about the daemon itself. */
export function serviceRoutes(
  parts: HealthParts,
  describe: (own: readonly OwnProposal[]) => unknown,
): readonly ServiceRoute[] {
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
      async handle({ daemon, response }) {
        response.once("close", () => daemon.shutdown());
        return ok({ status: "draining" });
      },
    },
    {
      kind: "service",
      method: "POST",
      path: "/go-on",
      access: "person",
      about: {
        id: "go-on",
        summary: "Go on with the work of all projects, after everything was stopped with stop --all.",
        output: z.object({ status: z.literal("working") }),
      },
      async handle({ daemon }) {
        daemon.hold.goOnEverywhere();
        return ok({ status: "working" });
      },
    },
    {
      kind: "service",
      method: "GET",
      path: "/openapi.json",
      access: "person",
      about: { id: "openapi", summary: "This description, with the proposals of the project that the request names." },
      async handle({ daemon, credentials, request }) {
        const own = credentials === undefined ? undefined : openProjectOf(daemon, request)?.services.ownProposals;
        await own?.refresh();
        return ok(describe(own?.all() ?? []));
      },
    },
  ];
}
