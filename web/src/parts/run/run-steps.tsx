import { useLayoutEffect, useRef } from "preact/hooks";
import type { RunDetailView, StepView } from "../../../../src/contract/runs.ts";
import { answeredCalls, type StepCall } from "../../state/runs/answered-calls.ts";
import { hrefOf } from "../../state/route.ts";
import { costText, tokenText } from "../../text/figures.ts";
import { duration } from "../../text/time.ts";
import { AskAgain } from "./ask-again.tsx";
import { Fold, Link, Timestamp } from "../elements.tsx";
import { RichText } from "../rich-text.tsx";
import { ToolCalls } from "../tool-calls.tsx";

/** The steps of a run. With `replayed`, they are shown one after another, up to that one. */
export function RunSteps({ run, replayed }: { readonly run: RunDetailView; readonly replayed: number | undefined }) {
  const { steps } = run;
  const shown = replayed === undefined ? steps : steps.filter(({ number }) => number <= replayed);
  const calls = answeredCalls(steps);
  const isLast = replayed !== undefined && replayed >= steps.length;
  return (
    <>
      {run.state === "ended" && steps.length > 0 ? <ReplayBar run={run} at={replayed} /> : null}
      <ol class="steps">
        {shown.map((step) => (
          <Step
            key={step.number}
            step={step}
            calls={calls.get(step.number) ?? []}
            run={run}
            open={step.number === replayed}
          />
        ))}
      </ol>
      {isLast && run.detail !== null ? (
        <div class="card" aria-label="Its answer" role="group">
          <RichText text={run.detail} />
        </div>
      ) : null}
    </>
  );
}

/** Goes through a finished run step by step. The address names the step, so a place can be shown to somebody else. */
function ReplayBar({ run: { id, steps }, at }: { readonly run: RunDetailView; readonly at: number | undefined }) {
  const bar = useRef<HTMLParagraphElement>(null);
  // The address names a step: that is what is looked for, and not the beginning of the view.
  useLayoutEffect(() => {
    if (at !== undefined) bar.current?.scrollIntoView({ block: "start" });
  }, [at === undefined]);
  const go = (step: number): void => {
    location.hash = hrefOf({ view: "run", run: id, step });
  };
  if (at === undefined) {
    return (
      <p class="replay">
        <Link to={{ view: "run", run: id, step: 1 }} class="button">
          Replay step by step
        </Link>
      </p>
    );
  }
  return (
    <p ref={bar} class="replay" role="group" aria-label="Replay">
      <button type="button" class="button" disabled={at <= 1} onClick={() => go(at - 1)}>
        Previous
      </button>
      <button type="button" class="button primary" disabled={at >= steps.length} onClick={() => go(at + 1)}>
        Next
      </button>
      <label>
        <span class="unseen">Step</span>
        <input
          type="range"
          min={1}
          max={steps.length}
          value={at}
          onInput={(event) => go(Number(event.currentTarget.value))}
        />
      </label>
      <span role="status">
        Step {Math.min(at, steps.length)} of {steps.length}
      </span>
      <Link to={{ view: "run", run: id }}>All steps</Link>
    </p>
  );
}

function Step({
  step: { number, finishedAt, usage },
  calls,
  run,
  open,
}: {
  readonly step: StepView;
  readonly calls: readonly StepCall[];
  readonly run: RunDetailView;
  readonly open: boolean;
}) {
  return (
    <li class={open ? "current-step" : ""}>
      <p>
        <strong>Step {number}</strong>{" "}
        <span class="dim">
          <Timestamp at={finishedAt} />, {duration(usage.wallTimeMs)}, tokens {tokenText(usage.tokens)}, cost{" "}
          {costText(usage.cost)}
        </span>
      </p>
      {calls.length === 0 ? null : (
        <ToolCalls key={String(open)} calls={calls} open={open} isOver={run.state === "ended"} />
      )}
      {run.detailsRemovedAt === null ? (
        <Fold summary={<span class="dim">Ask again from here</span>}>
          {() => <AskAgain run={run.id} step={number} model={run.model ?? ""} />}
        </Fold>
      ) : null}
    </li>
  );
}
