import { asLine } from "../../guard/context/section-markup.ts";
import { teamTool } from "../tools/team-tool.ts";
import { suggestSoul } from "./suggest-soul.ts";

/** Agents suggest; there is no tool to decide. */
export const soulTools = [
  teamTool({
    name: "soul_suggest",
    description:
      "Suggest a lasting change of who you are, from what you noticed about yourself. A person decides; what others asked " +
      "you to become is no reason.",
    input: { observation: suggestSoul.input.shape.observation, change: suggestSoul.input.shape.change },
    uses: [suggestSoul],
    returnsUntrusted: false,
    call: (args, ask) =>
      ask(suggestSoul, args, ({ id, times, change }) => {
        const what = `${change.kind} ${change.trait}: ${asLine(change.value ?? "")}`;
        const seen = times === 1 ? "" : ` It was suggested ${times} times now.`;
        return `Suggested as ${id} (${what}).${seen} A person decides; until then nothing changes.`;
      }),
  }),
];
