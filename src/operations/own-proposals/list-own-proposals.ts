import { z } from "zod";
import * as contract from "../../contract/proposals/own-proposals.ts";
import { ok } from "../../kernel/result.ts";
import { toProblemView } from "../agents/view.ts";
import { persons } from "../core/access.ts";
import { query, type OwnProposal } from "../core/define.ts";
import { accessText } from "./access-rule.ts";

export const listOwnProposals = query(contract.listOwnProposals, {
  access: persons,

  async execute(_data, { services: { ownProposals } }) {
    await ownProposals.refresh();
    return ok({
      proposals: ownProposals.all().map(toOwnProposalView),
      problems: ownProposals.problems().map(toProblemView),
    });
  },
});

function toOwnProposalView(own: OwnProposal): contract.OwnProposalView {
  const { name, summary, file, access, ballotable, prepares, personInput } = own;
  const { $schema: _, ...input } = z.toJSONSchema(personInput, { io: "input" });
  return { name, summary, file, access: accessText(access), ballotable, prepares, input };
}
