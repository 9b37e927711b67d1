import type { RunDetailView, StepView } from "../../../src/contract/runs.ts";
import { useAsked, useTeam } from "../state/page-context.ts";
import { costText, tokenText } from "../text/figures.ts";
import { duration } from "../text/moment.ts";
import { DraftMessage } from "../parts/message.tsx";
import { Answered, Moment, Name, Nothing, Section, SpaceLink } from "../parts/parts.tsx";
import { RichText } from "../parts/rich-text.tsx";
import { RunReceipt } from "../parts/run-receipt.tsx";
import { RunState } from "../parts/run-table.tsx";
import { ToolCalls } from "../parts/tool-calls.tsx";

/** One run: what it answers, what it did step by step, what it said, and what that used. */
export function Run({ run }: { readonly run: string }) {
  const draft = useTeam(({ drafts }) => drafts.get(run));
  const shown = useAsked("show-run", { id: run }, ["runs", "messages"]);
  return (
    <div class="view">
      <Answered answer={shown}>
        {(detail) => (
          <>
            <Head detail={detail} />
            {detail.answers === null ? null : (
              <Section title="Asked">
                <div class="card">
                  <p class="dim">
                    <Name name={detail.answers.from} /> <Moment at={detail.answers.at} />
                  </p>
                  <RichText text={detail.answers.content} mentions={detail.answers.mentions} />
                </div>
              </Section>
            )}
            {detail.receipt === null ? null : <RunReceipt receipt={detail.receipt} />}
            <Section title="Steps">
              {detail.steps.length === 0 ? <Nothing>No step is finished yet.</Nothing> : null}
              <ol class="steps">
                {detail.steps.map((step) => (
                  <Step key={step.number} step={step} />
                ))}
              </ol>
              {draft === undefined || detail.state === "ended" ? null : <DraftMessage draft={draft} />}
            </Section>
            {detail.detail === null ? null : (
              <Section title={detail.outcome === "failed" ? "Why it failed" : "Said"}>
                <div class="card">
                  <RichText text={detail.detail} />
                </div>
              </Section>
            )}
          </>
        )}
      </Answered>
    </div>
  );
}

function Head({ detail }: { readonly detail: RunDetailView }) {
  const { id, agent, space, lane, startedAt, endedAt, usage } = detail;
  return (
    <>
      <header class="view-header">
        <h1>
          <Name name={agent} /> <span class="dim">in</span> <SpaceLink space={space} />
        </h1>
        <RunState run={detail} />
      </header>
      <dl class="facts">
        <dt>Run</dt>
        <dd>
          <code>{id}</code>, {lane} lane
        </dd>
        <dt>When</dt>
        <dd>
          <Moment at={startedAt} />
          {endedAt === null ? "" : `, ${duration(Date.parse(endedAt) - Date.parse(startedAt))} in all`}, at work for{" "}
          {duration(usage.wallTimeMs)}
        </dd>
        <dt>Tokens</dt>
        <dd>{tokenText(usage.tokens)}</dd>
        <dt>Cost</dt>
        <dd>{costText(usage.cost)}</dd>
      </dl>
    </>
  );
}

function Step({ step: { number, finishedAt, usage, calls } }: { readonly step: StepView }) {
  return (
    <li>
      <p>
        <strong>Step {number}</strong>{" "}
        <span class="dim">
          <Moment at={finishedAt} />, {duration(usage.wallTimeMs)}, tokens {tokenText(usage.tokens)}, cost{" "}
          {costText(usage.cost)}
        </span>
      </p>
      {calls.length === 0 ? null : <ToolCalls calls={calls} />}
    </li>
  );
}
