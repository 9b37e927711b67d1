import type { TimedRunView } from "../../../contract/activity/timeline.ts";
import type {
  RunDefinitionView,
  RunDetailView,
  RunPromptView,
  RunReceiptView,
  RunView,
  StepView,
} from "../../../contract/runs.ts";
import type { GuardUseView } from "../../../contract/usage.ts";
import { AWAITED } from "../../../domain/outcome.ts";
import { LIMIT } from "../../arguments/option.ts";
import { wholeNumber } from "../../arguments/whole-number.ts";
import { defineCommand, type CommandGroup } from "../../command.ts";
import { formatSpace } from "../../output/format-space.ts";
import { paintFor, type Paint } from "../../output/paint.ts";
import { formatTable } from "../../output/table.ts";
import { speakersText } from "../../output/untrusted-mark.ts";
import { callText } from "../../calls/call-text.ts";
import { clockTime } from "../../output/clock-time.ts";
import { costText, guardCostText, tokenText } from "../../output/usage-text.ts";
import { firstLine, shortened } from "../../output/visible-text.ts";

const list = defineCommand({
  about: "Lists the runs of the project, an agent, a workspace, or an agent in one, newest first.",
  words: ["[TARGET]"],
  options: {
    unfinished: { about: "Only those at work, parked, or waiting for you" },
    limit: LIMIT,
    before: { value: "ID", about: "Only those before this run" },
  },
  examples: ["agent-worker runs list", "agent-worker runs list @review -n 10"],

  async run({ words: [target], options: { unfinished, limit, before }, terminal, call, print }) {
    const listed = await call("list-runs", { target, unfinished, limit: wholeNumber("-n", limit), before });
    return print({ runs: listed.runs }, () => {
      if (listed.runs.length === 0) return "There are no runs.\n";
      return formatTable(
        paintFor(terminal),
        ["RUN", "AGENT", "IN", "STATE", "STARTED", "STEPS", "COST", "MODEL"],
        listed.runs.map((run) => [
          run.id,
          run.agent,
          formatSpace(run.space),
          stateOf(run),
          run.startedAt,
          String(run.usage.steps),
          run.usage.steps === 0 ? "-" : costText(run.usage.cost),
          run.model ?? "",
        ]),
      );
    });
  },
});

const show = defineCommand({
  about:
    "Shows one run: what it answers, what it was given and what was left out, its steps with their tool calls, and what each has used.",
  words: ["ID"],
  options: {
    prompt: { about: "The whole prompt it was given: the system text, what it was asked, its tools" },
    full: { about: "Whole tool calls, with their answers; with --prompt: the tools with their schemas" },
  },
  examples: [
    "agent-worker runs show run_0123456789",
    "agent-worker runs show run_0123456789 --full",
    "agent-worker runs show run_0123456789 --prompt",
  ],

  async run({ words: [id = ""], options: { prompt, full }, terminal, call, print }) {
    if (prompt) {
      const given = await call("show-prompt", { id });
      return print(given, () => promptText(given, full));
    }
    const run = await call("show-run", { id });
    return print(run, () => runText(paintFor(terminal), run, full));
  },
});

const retry = defineCommand({
  about: [
    "Asks again from a step of a run, with another model or system prompt. The steps before it stay as they were.",
    "A new agent in memory answers in its direct messages: nothing of it is in the conversation.",
  ].join("\n"),
  words: ["ID"],
  options: {
    "from-step": { value: "N", about: "The first step to make again (1)" },
    model: { value: "MODEL", about: "Another model" },
    system: { value: "TEXT", about: "Another system prompt" },
  },
  examples: ["agent-worker runs retry run_0123456789 --from-step 2 --model anthropic/claude-opus-5"],

  async run({ words: [id = ""], options, call, print }) {
    const { model, system } = options;
    const fromStep = wholeNumber("--from-step", options["from-step"]);
    const asked = await call("retry-run", { id, fromStep, model, system });
    return print(asked, () => `${asked.agent} answers. See it with: agent-worker peek ${asked.agent}\n`);
  },
});

const timeline = defineCommand({
  about: "Shows who woke whom, and how long each run waited, thought and used tools, newest first.",
  words: ["[TARGET]"],
  options: {
    chain: { value: "ID", about: "Only what the first message of this run or message led to" },
    before: { value: "ID", about: "Only those before this run" },
    limit: LIMIT,
  },
  examples: ["agent-worker runs timeline @review", "agent-worker runs timeline --chain run_0123456789"],

  async run({ words: [target], options: { chain, before, limit }, terminal, call, print }) {
    const shown = await call("show-timeline", { target, chain, before, limit: wholeNumber("-n", limit) });
    return print(shown, () => {
      if (shown.runs.length === 0) return "There are no runs.\n";
      return formatTable(
        paintFor(terminal),
        ["RUN", "WOKEN BY", "AGENT", "IN", "WAITED", "MODEL TIME", "TOOL TIME", "STATE"],
        shown.runs.map((run) => [
          run.id,
          run.wokenBy?.from ?? "",
          run.agent,
          formatSpace(run.space),
          run.wokenBy === null ? "" : seconds(Date.parse(run.startedAt) - Date.parse(run.wokenBy.at)),
          seconds(run.usage.wallTimeMs - (toolTime(run) ?? 0)),
          toolTime(run) === null ? "unknown" : seconds(toolTime(run) ?? 0),
          stateOf(run),
        ]),
      );
    });
  },
});

/** Null when it is not known of one of the steps. */
function toolTime({ steps }: TimedRunView): number | null {
  return steps.reduce<number | null>((sum, { toolMs }) => (sum === null || toolMs === null ? null : sum + toolMs), 0);
}

function seconds(ms: number): string {
  return `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
}

export const runs: CommandGroup = {
  about: "Runs: what agents did, step by step, and what it used.",
  entries: [
    { name: "list", summary: "List the runs, newest first", load: async () => list },
    { name: "show", summary: "Look into one run", load: async () => show },
    { name: "timeline", summary: "Who woke whom, and when", load: async () => timeline },
    { name: "retry", summary: "Ask again from a step, apart from the conversation", load: async () => retry },
  ],
};

function stateOf({ state, outcome, waitsFor, until }: RunView): string {
  if (outcome !== null) return outcome;
  if (waitsFor === "message") return "stopped";
  if (waitsFor !== null) return `waits for ${AWAITED[waitsFor]}${until === null ? "" : ` until ${until}`}`;
  return state === "open" ? "at work" : state;
}

function runText(paint: Paint, run: RunDetailView, full: boolean): string {
  const { id, agent, space, answers, receipt, definition, steps, detail, reason, waits, detailsRemovedAt } = run;
  const { startedAt, model, usage } = run;
  return [
    `${paint.bold(id)}  ${agent} in ${formatSpace(space)}, ${startedAt}, ${stateOf(run)}\n`,
    ...(model === null ? [] : [`  model ${model}\n`]),
    ...(receipt?.fallbacks ?? []).map((sentence) => `    ${shortened(sentence, LONGEST_REASON)}\n`),
    ...(answers === null ? [] : [`  answers ${answers.from}: ${firstLine(answers.content)}\n`]),
    ...(definition === null ? [] : [definitionText(definition, run.state === "ended")]),
    ...(receipt === null ? [] : [receiptText(receipt)]),
    ...run.guard.map(guardLine),
    ...(detailsRemovedAt === null
      ? []
      : [`  what it was given and its tool calls were removed on ${detailsRemovedAt}, because they were old\n`]),
    ...steps.flatMap((step) => stepLines(paint, step, full)),
    ...(reason === null || waits !== null ? [] : [`  ${run.outcome ?? "waits"} because: ${firstLine(reason)}\n`]),
    ...(waits === null
      ? []
      : [`  waits since ${clockTime(waits.since)} because: ${firstLine(waits.reason)}\n  ${waits.next}\n`]),
    ...(detail === null ? [] : [`  ended with: ${firstLine(detail)}\n`]),
    usage.steps === 0
      ? "  used: not known, no step was finished\n"
      : `  used: ${tokenText(usage.tokens.input)} tokens in, ${tokenText(usage.tokens.output)} out, ${costText(usage.cost)}\n`,
  ].join("");
}

function definitionText({ files, fingerprint, now, changedAt }: RunDefinitionView, ended: boolean): string {
  const source = files.length === 0 ? "defined in memory only" : `defined by ${files.join(" and ")}`;
  const since = ended ? "since" : "meanwhile, and the run keeps what it began with";
  const at = changedAt === null ? "" : ` (${changedAt})`;
  const change = {
    same: "",
    changed: `, changed ${since}${at}`,
    broken: `, broken ${since}${at}`,
    removed: `, removed ${since}`,
  };
  return `  ${source}, version ${fingerprint}${change[now]}\n`;
}

/** The parts of the prompt, each with what was left out of it. */
function receiptText({ tokens, budget, parts, heard, outside }: RunReceiptView): string {
  const lines = parts.map(({ part, tokens: cost, items, names, leftOut, notes = [] }) => {
    const included = names.length === 0 ? "" : `: ${names.join(", ")}${items > names.length ? ", ..." : ""}`;
    const omitted = leftOut.map((each) => `\n      left out, ${each.reason}: ${each.count} (${each.names.join(", ")})`);
    const noted = notes.map((note) => `\n      ${shortened(note, LONGEST_NOTE)}`);
    return `    ${part}, ${cost} tokens${included}${omitted.join("")}${noted.join("")}\n`;
  });
  const who = heard === undefined ? "" : `    ${speakersText(heard, outside)}\n`;
  return `  given about ${tokens} of ${budget} tokens:\n${lines.join("")}${who}`;
}

/** A question of the guard to its model, and why it was not answered. */
function guardLine({ purpose, model, outcome, reason, wallTimeMs, inputTokens, outputTokens, cost }: GuardUseView) {
  const used = `${inputTokens} tokens in, ${outputTokens} out, ${guardCostText(cost)}, ${wallTimeMs} ms`;
  const why = outcome === "answered" ? "" : `\n      ${outcome}, decided by rules: ${firstLine(reason ?? "")}`;
  return `  guard asked ${model} to ${purpose}: ${used}${why}\n`;
}

/** The texts as they were sent. */
function promptText({ system, prompt, tools, tokens }: RunPromptView, full: boolean): string {
  const heading = (title: string, count: number): string => `--- ${title}, about ${count} tokens ---\n`;
  const listed = full
    ? tools.map(
        ({ name, description, inputSchema }) => `${name}: ${description}\n${JSON.stringify(inputSchema, null, 2)}\n`,
      )
    : [`${tools.map(({ name }) => name).join(", ") || "none"}\n`];
  return [
    `${heading("system", tokens.system)}${system}\n`,
    `${heading("prompt", tokens.prompt)}${prompt}\n`,
    `${heading("tools", tokens.tools)}${listed.join("\n")}`,
  ].join("\n");
}

const LONGEST = 100;
const LONGEST_REASON = 300;
const LONGEST_NOTE = 300;

function stepLines(paint: Paint, { number, usage, calls }: StepView, full: boolean): string[] {
  return [
    paint.dim(`  step ${number}: ${usage.wallTimeMs} ms, ${costText(usage.cost)}\n`),
    ...calls.map(({ tool, args, result, failed }) => {
      if (full) return `${callText(paint, tool, args, "    ")}${answerText(paint, result, failed)}`;
      const shown = result === null ? "no answer yet" : shortened(result, LONGEST);
      return `    ${shortened(tool, LONGEST)} ${shortened(args, LONGEST)}\n      ${failed ? paint.bad(shown) : shown}\n`;
    }),
  ];
}

function answerText(paint: Paint, result: string | null, failed: boolean): string {
  const lines = (result ?? "no answer yet").trimEnd().split("\n");
  return lines.map((line) => `      ${failed ? paint.bad(line) : paint.dim(line)}\n`).join("");
}
