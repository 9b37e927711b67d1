import type { OwnProposal } from "../operations/core/define.ts";
import { z } from "zod";
import { hintForUnknown } from "../kernel/closest.ts";
import { refuse } from "../kernel/refusal.ts";
import { everyone } from "../operations/core/access.ts";

import { SMALL_BODY_BYTES } from "./request-body.ts";
import type { ProjectRoute } from "./served-route.ts";

const PATH = "/own-proposals";

/**
 * Makes a proposal that the project defines in code. Who may is known only after the project has been found, so the
 * System decides it, as for every operation.
 */
export const ownProposalRoute: ProjectRoute = {
  kind: "project",
  method: "POST",
  path: `${PATH}/:name`,
  access: everyone,
  bodyLimit: SMALL_BODY_BYTES,
  about: {
    id: "make-own-proposal",
    summary: "Make a proposal that the project defines in code. The body is its input.",
    input: z.looseObject({ name: z.string() }),
    output: z.unknown(),
    refusals: ["conflict", "closed", "failed"],
  },
  async handle({ project, caller, input: { name, ...data } }) {
    const { ownProposals } = project.services;
    await ownProposals.refresh();
    const wanted = String(name);
    const found = ownProposals.find(wanted);
    if (found?.ok === true) return project.system.call(caller, found.value.operation, data);
    if (found !== undefined) return found;
    const names = ownProposals.all().map((each) => each.name);
    return refuse("not_found", `This project defines no proposal "${wanted}".`, {
      hint: names.length === 0 ? NONE : hintForUnknown(wanted, names, "proposals"),
    });
  },
};

const NONE = "It defines none. See docs/guides/proposals.md for how to.";

/** The same as one route for each proposal, for the description of the routes. */
export function describedProposals(proposals: readonly OwnProposal[]): ProjectRoute[] {
  return proposals.map(({ name, summary, personInput, output }) => ({
    ...ownProposalRoute,
    path: `${PATH}/${name}`,
    about: {
      id: name,
      summary,
      input: personInput,
      ...(output === undefined ? {} : { output }),
      refusals: ["conflict", "closed", "failed"],
    },
  }));
}
