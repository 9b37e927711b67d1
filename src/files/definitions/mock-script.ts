import { z } from "zod";
import type { AgentDefinition } from "../../domain/agent/definition.ts";
import { mockScriptPath, type MockScript, type MockStep, type MockTurn } from "../../domain/agent/mock-script.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { DefinitionProblem } from "../../ports/definitions.ts";
import { projectPath } from "../project-path.ts";
import type { YamlSource } from "../yaml/parse-yaml.ts";
import { formatProblem, type YamlPath } from "../yaml/problem.ts";
import { readYamlInside } from "../yaml/read-yaml.ts";
import { createReport, type Report } from "../yaml/report.ts";
import { outcome, type Outcome } from "./load-definition.ts";
import { defined } from "./normalise/defined.ts";
import { duration } from "./normalise/normalise-runtime.ts";
import { checkSchema } from "./schema/check-schema.ts";

/** Reads the script of an agent on the mock engine: a YAML list of turns. */
const words = (description: string) => z.string().min(1).describe(description);
const FAILURES = ["transient", "quota", "permanent", "crash"] as const;

const stepSchema = z.strictObject({
  say: z.string().describe("Text the agent says; of the last step it is the answer.").optional(),
  mention: z
    .union([words("Agent to mention."), z.array(z.string().min(1))])
    .describe("Puts @name first.")
    .optional(),
  pace: words("Wait between the streamed pieces of the text: 30ms.").optional(),
  call: z
    .strictObject({
      tool: words("Name of the tool."),
      args: z.record(z.string(), z.unknown()).describe("Its arguments.").optional(),
      as: words("Name under which later steps find the result.").optional(),
    })
    .optional(),
  delay: z
    .union([words("A duration: 200ms."), z.array(z.string().min(1)).min(2).max(2)])
    .describe("Wait: a duration, or a list of the shortest and the longest.")
    .optional(),
  fail: z.enum(FAILURES).describe("Fail with an error of this class.").optional(),
  crash: z.literal(true).describe("The same as fail: crash.").optional(),
  message: words("What the failure says.").optional(),
  after: words("Text streamed before the failure.").optional(),
  retry_after: words("What the failure asks to wait: 2s.").optional(),
  times: z.int().positive().describe("How often it fails before it is passed over. Default: 1.").optional(),
});

const turnSchema = z.strictObject({
  when: words("Text the message must contain, or /an expression/.").optional(),
  repeat: z.boolean().describe("Play it as often as it fits.").optional(),
  steps: z.array(stepSchema).describe("What the agent does, one step each. Empty: it stays silent."),
});

const scriptSchema = z.array(turnSchema).min(1);

type StepFile = z.infer<typeof stepSchema>;
type TurnFile = z.infer<typeof turnSchema>;

/** Reads and checks a script; `file` is relative to the project. A refusal lists every problem with its place. */
function loadMockScript(projectDir: string, file: string): Result<MockScript, Refusal> {
  const path = projectPath(file);
  if (!path.ok) return path;
  const parsed = readYamlInside(projectDir, path.value);
  const { loaded, problems } = parsed.ok ? loadScript(parsed.source) : { problems: parsed.problems };
  return loaded === undefined ? refuseScript(path.value, problems) : ok(loaded);
}

export function loadScript(source: YamlSource): Outcome<MockScript> {
  const report = createReport(source);
  const turns = checkSchema(scriptSchema, source.value, report);
  const loaded = turns && { turns: turns.map((turn, index) => normaliseTurn(turn, [index], report)) };
  return outcome(loaded, report);
}

/** Returns the script lookup of the mock engine. A script is read at each call, so that an edit applies at once. */
export function projectMockScripts(projectDir: string): (agent: AgentDefinition) => Result<MockScript | null, Refusal> {
  return (agent) => {
    const path = mockScriptPath(agent);
    return path === null ? ok(null) : loadMockScript(projectDir, path);
  };
}

function refuseScript(file: string, problems: readonly DefinitionProblem[]): Result<never, Refusal> {
  return refuse("invalid", `The script ${file} cannot be played.\n${problems.map(formatProblem).join("\n")}`, {
    hint: `Correct ${file}, or change the agent's model, which names the script.`,
    details: { problems },
  });
}

function normaliseTurn({ when, repeat, steps }: TurnFile, path: YamlPath, report: Report): MockTurn {
  return defined({
    when: when === undefined ? undefined : condition(when, [...path, "when"], report),
    repeat,
    steps: steps.flatMap((step, index) => normaliseStep(step, [...path, "steps", index], report) ?? []),
  });
}

function condition(when: string, path: YamlPath, report: Report): string | RegExp {
  const expression = /^\/(.+)\/([imsu]*)$/su.exec(when);
  if (expression === null) return when;
  try {
    return new RegExp(expression[1] ?? "", expression[2]);
  } catch {
    report.error(path, `"when" is not a regular expression.`, {
      hint: "Correct it, or write plain text without the slashes.",
    });
    return when;
  }
}

/** The keys that are allowed only with one kind of step. */
const COMPANIONS: Readonly<Record<string, readonly (keyof StepFile)[]>> = {
  say: ["mention", "pace"],
  call: [],
  delay: [],
  fail: ["message", "after", "retry_after", "times"],
};

function normaliseStep(step: StepFile, path: YamlPath, report: Report): MockStep | undefined {
  const says = step.say !== undefined || step.mention !== undefined;
  const fails = step.fail !== undefined || step.crash !== undefined;
  const kinds = [says && "say", step.call && "call", step.delay && "delay", fails && "fail"].filter(
    (kind) => typeof kind === "string",
  );
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1 || (step.fail !== undefined && step.crash !== undefined)) {
    report.error(path, "A step does exactly one thing.", {
      hint: "Write one of say, call, delay, fail or crash; mention goes with say. Make it several steps.",
    });
    return undefined;
  }
  const unexpected = Object.keys(step).filter(
    (key) => ![kind, "mention", "crash", ...(COMPANIONS[kind] ?? [])].includes(key),
  );
  for (const key of unexpected) report.error([...path, key], `"${key}" does not go with ${kind}.`, { part: "key" });
  const time = (key: "pace" | "retry_after") => duration(step[key], [...path, key], report);

  if (step.call !== undefined) {
    return { kind: "call", ...defined({ tool: step.call.tool, args: step.call.args ?? {}, as: step.call.as }) };
  }
  if (step.delay !== undefined) return delayStep(step.delay, [...path, "delay"], report);
  if (fails) {
    const { message, after, times } = step;
    const more = defined({ message, after, times, retryAfterMs: time("retry_after") });
    return { kind: "fail", class: step.fail ?? "crash", ...more };
  }
  const mentions = [step.mention ?? []].flat().map((name) => `@${name.replace(/^@/, "")}`);
  const text = [...mentions, step.say ?? ""].join(" ").trim();
  return { kind: "say", text, ...defined({ paceMs: time("pace") }) };
}

function delayStep(delay: string | string[], path: YamlPath, report: Report): MockStep {
  const [shortest, longest] = [delay].flat();
  const minMs = duration(shortest, path, report) ?? 0;
  return { kind: "delay", minMs, maxMs: longest === undefined ? minMs : (duration(longest, path, report) ?? minMs) };
}
