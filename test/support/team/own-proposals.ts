/** The file of a proposal `NAME` with this body of `execute`; `more` are further fields of its definition. */
export function proposalFile(name: string, execute: string, more = ""): string {
  return `import { defineProposal, refuse } from "agent-worker";
import { z } from "zod";

export default defineProposal({
  name: "${name}",
  summary: "Do ${name}.",
  input: z.object({ n: z.number().int().default(1), text: z.string().optional() }),
  access: "everyone",
  ${more}
  async execute({ n, text }, ctx, prepared) {
    ${execute}
  },
});
`;
}
