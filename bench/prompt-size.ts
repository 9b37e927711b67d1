import { firstPrompts, type FirstPrompt } from "../test/support/team/first-prompts.ts";
import { format, type Bench, type Figure } from "./bench.ts";

/** A prompt is paid for in every step, and small models lose their way in long ones. */
const GOALS = { direct: 1_800, team: 2_500 } as const;

export const promptSize: Bench = {
  name: "prompt-size",
  measures: "tokens that an agent without a history is sent: system text, prompt and tools",
  async run() {
    const { direct, team } = await firstPrompts();
    return [figure("in a direct message", direct, GOALS.direct), figure("in a team", team, GOALS.team)];
  },
};

function figure(what: string, { tokens, bodyTokens, request }: FirstPrompt, atMost: number): Figure {
  const { system, prompt, tools } = tokens;
  const parts = `system ${format(system)}, prompt ${format(prompt)}, ${request.tools.length} tools ${format(tools)}`;
  return {
    what,
    ratios: [tokens.all],
    goal: { atMost },
    detail: `${parts}; the whole request as JSON: ${format(bodyTokens)}`,
  };
}
