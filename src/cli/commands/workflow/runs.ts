import type { RunDetailView, RunView, StepView } from "../../../contract/runs.ts";
import { defineCommand, type CommandGroup } from "../../command.ts";
import { firstLine } from "../../output/first-line.ts";
import { paintFor, type Paint } from "../../output/paint.ts";
import { runReceiptText } from "../../output/run-receipt-text.ts";
import { formatTable } from "../../output/table.ts";
import { costText, tokenText } from "../../output/usage-figures.ts";
import { shortened } from "../../output/visible-text.ts";
import { wholeNumber } from "../../arguments/whole-number.ts";
import { spaceLabel } from "../../output/format-space.ts";

const list = defineCommand({
  about: "Lists the runs of the project, an agent, a workspace, or an agent in one, newest first.",
  words: ["[TARGET]"],
  options: {
    unfinished: { about: "Only those at work, parked, or waiting for you" },
    limit: { short: "n", value: "N", about: "At most so many (50)" },
  },
  examples: ["agent-worker runs list", "agent-worker runs list @review -n 10"],

  async run({ words: [target], options: { unfinished, limit }, terminal, ask, answer }) {
    const { runs: found } = await ask("list-runs", { target, unfinished, limit: wholeNumber("-n", limit) });
    return answer({ runs: found }, () => {
      if (found.length === 0) return "There are no runs.\n";
      return formatTable(
        paintFor(terminal),
        ["RUN", "AGENT", "IN", "STATE", "STARTED", "STEPS", "COST"],
        found.map((run) => [
          run.id,
          run.agent,
          spaceLabel(run.space),
          stateOf(run),
          run.startedAt,
          String(run.usage.steps),
          costText(run.usage.cost),
        ]),
      );
    });
  },
});

const show = defineCommand({
  about:
    "Shows one run: what it answers, what it was given and what was left out, its steps with their tool calls, and what each has used.",
  words: ["ID"],
  examples: ["agent-worker runs show run_0123456789"],

  async run({ words: [id = ""], terminal, ask, answer }) {
    const run = await ask("show-run", { id });
    return answer(run, () => runText(paintFor(terminal), run));
  },
});

export const runs: CommandGroup = {
  about: "Runs: what agents did, step by step, and what it used.",
  entries: [
    { name: "list", summary: "List the runs, newest first", load: async () => list },
    { name: "show", summary: "Look into one run", load: async () => show },
  ],
};

function stateOf({ state, outcome }: RunView): string {
  return outcome ?? (state === "open" ? "at work" : state);
}

function runText(paint: Paint, run: RunDetailView): string {
  const { id, agent, space, answers, receipt, steps, detail, startedAt, usage } = run;
  return [
    `${paint.bold(id)}  ${agent} in ${spaceLabel(space)}, ${startedAt}, ${stateOf(run)}\n`,
    ...(answers === null ? [] : [`  answers ${answers.from}: ${firstLine(answers.content)}\n`]),
    ...(receipt === null ? [] : [runReceiptText(receipt)]),
    ...steps.flatMap((step) => stepLines(paint, step)),
    ...(detail === null ? [] : [`  ended with: ${firstLine(detail)}\n`]),
    `  used: ${tokenText(usage.tokens.input)} tokens in, ${tokenText(usage.tokens.output)} out, ${costText(usage.cost)}\n`,
  ].join("");
}

const LONGEST = 100;

function stepLines(paint: Paint, { number, usage, calls }: StepView): string[] {
  return [
    paint.dim(`  step ${number}: ${usage.wallTimeMs} ms, ${costText(usage.cost)}\n`),
    ...calls.map(({ tool, args, result, failed }) => {
      const answered = result === null ? "no answer yet" : shortened(result, LONGEST);
      return `    ${shortened(tool, LONGEST)} ${shortened(args, LONGEST)}\n      ${failed ? paint.bad(answered) : answered}\n`;
    }),
  ];
}
