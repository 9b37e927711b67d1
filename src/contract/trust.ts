import { z } from "zod";
import { declareProposal, declareQuery } from "./operation.ts";

/** `unknown`: nobody trusted it here. `foreign-store`: its store was not made here. Both rest as a whole. */
export const trustKind = z.enum(["trusted", "unknown", "foreign-store"]);

/** What a project can do on this machine, and whether a person allowed it. */
export const trustView = z.object({
  kind: trustKind,
  /** The person is not asked again, whatever changes. */
  always: z.boolean(),
  /** What each agent and workflow can do. One with an ability that was not seen rests. */
  abilities: z.array(z.object({ who: z.string(), text: z.string(), seen: z.boolean() })),
  /** What it does besides and needs no consent of its own. */
  facts: z.array(z.string()),
  /** Of everything the project can do. */
  fingerprint: z.string(),
});
export type TrustView = z.output<typeof trustView>;

export const showTrust = declareQuery({
  name: "show-trust",
  summary: "Show what a project can do on this machine, and whether a person allowed it.",
  method: "GET",
  path: "/trust",
  input: z.object({}),
  output: trustView,
});

export const grantTrust = declareProposal({
  name: "grant-trust",
  summary: "Allow a project to do what it can do now. It works from then on.",
  method: "POST",
  path: "/trust",
  input: z.object({
    seen: z.string().optional().describe("The fingerprint that was shown. Refused when the project changed since."),
    always: z.boolean().default(false).describe("Do not ask again, whatever changes."),
  }),
  output: trustView,
});

export const revokeTrust = declareProposal({
  name: "revoke-trust",
  summary: "Take the consent back: the project rests, and what it was doing waits.",
  method: "DELETE",
  path: "/trust",
  input: z.object({}),
  output: trustView,
});
