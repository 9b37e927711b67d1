import { z } from "zod";
import type { Clock } from "../../kernel/clock.ts";
import type { Fault } from "../../kernel/fault.ts";
import { depthOf, runProjectCode, type CodeCall } from "../../kernel/project-code.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { err, ok, type Result } from "../../kernel/result.ts";
import { spaceKey } from "../core/caller-space.ts";
import { proposal, type Services, type OwnOperation } from "../core/define.ts";
import { redactTexts } from "../core/redact-texts.ts";
import { accessRule } from "./access-rule.ts";
import { placeOfCall } from "./call-place.ts";
import { refusalIn, type ProposalDefinition } from "./definition.ts";

import { ownInput, type OwnInput } from "./own-input.ts";
import { prepareContext, proposalContext, RefusedInside, type ContextParts } from "./proposal-context.ts";
import { withinTime } from "./within-time.ts";

/** What the operation of an own proposal needs of its surroundings. */
export interface OwnOperationParts {
  readonly clock: Pick<Clock, "sleep">;
  readonly projectDir: string;
  /** Returns where in the code of the project an error was thrown, as `file:line`; undefined when it is not known. */
  readonly placeOf: (error: unknown) => string | undefined;
}

const PREPARE_MS = 60_000;
/** Every other writer of the project waits meanwhile. */
const EXECUTE_MS = 3_000;
const MAX_DEPTH = 8;

/**
 * Makes an operation of a definition, so that everything that holds for operations holds for it: access, quotas, answers
 * of repeated calls, one transaction. Whatever the code of the project does wrong is a refusal of this call alone.
 */
export function ownOperation(definition: ProposalDefinition, parts: OwnOperationParts): OwnOperation {
  const { name, summary, ballotable = false } = definition;
  const access = accessRule(definition.access);
  const input = ownInput(definition, parts.placeOf);

  const evaluate = async (
    services: Services,
    ms: number,
    work: (parts: Pick<ContextParts, "call" | "onFault">, signal: AbortSignal) => unknown,
  ): Promise<Result<unknown, Refusal>> => {
    let fault: Fault | undefined;
    const onFault = (thrown: Fault): void => {
      fault ??= thrown;
    };
    const calls: CodeCall[] = [];
    const refuseRedacted = (error: Refusal) => err(redactTexts(error, services.redact) as Refusal);
    const runCode = async (): Promise<Result<unknown, Refusal>> => {
      try {
        const outcome = await withinTime(parts.clock, ms, (signal) =>
          runProjectCode(async (call) => {
            calls.push(call);
            if (depthOf(call) > MAX_DEPTH) throw new Error("Proposals that make each other go too deep.");
            return await work({ call, onFault }, signal);
          }),
        );
        if (outcome === "over") return refuseLate(name, ms);
        const refusal = refusalIn(outcome.value);
        return refusal === undefined ? ok(outcome.value) : refuseRedacted(refusal);
      } catch (error) {
        if (error instanceof RefusedInside) return refuseRedacted(error.refusal);
        return refuseRedacted(failure(name, error, parts.placeOf(error)));
      } finally {
        for (const call of calls) call.ended = true;
      }
    };
    const result = await runCode();
    // Code that caught a failure of the store must not go on as if nothing had happened.
    if (fault !== undefined) throw fault;
    return result;
  };

  const operation: OwnOperation = proposal(
    { name, summary, input, output: z.unknown() },
    {
      access,
      ballotable,
      space: ({ target }: OwnInput, caller) => spaceKey(target, caller),

      async prepare({ data, target }, ctx) {
        if (definition.prepare === undefined) return ok(undefined);
        const place = await ctx.read((store) => placeOfCall(store, target, ctx.caller));
        if (!place.ok) return place;
        const about = { proposal: name, space: place.value, projectDir: parts.projectDir };
        return evaluate(ctx.services, definition.prepareTimeoutMs ?? PREPARE_MS, (call, signal) =>
          definition.prepare?.(data, prepareContext(ctx, { ...about, ...call }, signal)),
        );
      },

      async execute({ data, target }, ctx, prepared) {
        const place = await placeOfCall(ctx.store, target, ctx.caller);
        if (!place.ok) return place;
        const about = { proposal: name, space: place.value, projectDir: parts.projectDir };
        const returned = await evaluate(ctx.services, EXECUTE_MS, (call) =>
          definition.execute(data, proposalContext(ctx, { ...about, ...call }), prepared),
        );
        return returned.ok ? checkOutput(definition, returned.value, ctx.services) : returned;
      },
    },
  );
  return operation;
}

function checkOutput(
  { name, output }: ProposalDefinition,
  value: unknown,
  { redact }: Services,
): Result<unknown, Refusal> {
  const checked = output?.safeParse(value);
  if (checked?.success === false) {
    const [issue] = checked.error.issues;
    const place = issue === undefined || issue.path.length === 0 ? "" : ` in "${issue.path.join(".")}"`;
    return refuse("failed", `${name} returned something else than its output says: ${issue?.message ?? ""}${place}.`);
  }
  try {
    const text = JSON.stringify(checked === undefined ? value : checked.data) ?? "null";
    return ok(redactTexts(JSON.parse(text), redact));
  } catch {
    return refuse("failed", `${name} returned something that is not JSON.`);
  }
}

function failure(name: string, error: unknown, place: string | undefined): Refusal {
  const message = error instanceof Error ? error.message : String(error);
  const at = place === undefined ? "" : ` at ${place}`;
  return {
    code: "failed",
    message: `${name} failed${at}: ${message.trim() || "it threw an error without a message"}`,
    hint: "Nothing was changed. Whoever wrote this proposal can mend it.",
  };
}

function refuseLate(name: string, ms: number) {
  const hint =
    ms === EXECUTE_MS
      ? "Nothing was changed. Its execute must await nothing but its context; what takes long belongs in prepare."
      : "Nothing was changed. Try again, or let whoever wrote it raise prepareTimeoutMs.";
  return refuse("failed", `${name} was given up after ${ms / 1000} s.`, { hint });
}
