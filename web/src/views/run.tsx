import type { RunDetailView } from "../../../src/contract/runs.ts";
import { RepeatedQuestion } from "../parts/run/repeated-question.tsx";
import { isRepeatedQuestion } from "../state/runs/repeated-question.ts";
import { Empty, Link, Loaded, Name, Section, SpaceLink, Timestamp } from "../parts/elements.tsx";
import { DraftMessage } from "../parts/message.tsx";
import { RichText } from "../parts/rich-text.tsx";
import { GuardUses } from "../parts/guard-uses.tsx";
import { RunPrompt } from "../parts/run-prompt.tsx";
import { RunReceipt } from "../parts/run-receipt.tsx";
import { RunState } from "../parts/run-table.tsx";
import { RunSteps } from "../parts/run/run-steps.tsx";
import { Waits } from "../parts/waits.tsx";
import { useOperation, useTeam } from "../state/page-context.ts";
import { runCostText, tokenText } from "../text/figures.ts";
import { withoutNamedIds } from "../text/notice-text.ts";
import { duration } from "../text/time.ts";

/** One run: its usage, the message it answers, its steps, its reply, and what it was given. */
export function Run({
  run,
  step,
}: {
  readonly run: string;
  /** Replays it up to this step. */
  readonly step: number | undefined;
}) {
  const draft = useTeam(({ drafts }) => drafts.get(run));
  const shown = useOperation("show-run", { id: run }, ["runs", "messages"]);
  return (
    <div class="view">
      <Loaded result={shown} next={{ label: "All runs", to: { view: "runs", target: undefined } }}>
        {(detail) => (
          <>
            <Header detail={detail} />
            {detail.answers === null ? null : (
              <Section title="Asked">
                <div class="card">
                  <p class="dim">
                    <Name name={detail.answers.from} /> <Timestamp at={detail.answers.at} />{" "}
                    <Link to={{ view: "chain", id: detail.id }}>its chain</Link>
                  </p>
                  {isRepeatedQuestion(detail.answers) ? (
                    <RepeatedQuestion message={detail.answers} />
                  ) : (
                    <RichText text={withoutNamedIds(detail.answers.content)} mentions={detail.answers.mentions} />
                  )}
                </div>
              </Section>
            )}
            <Section title="Steps">
              {detail.steps.length === 0 ? <Empty>No step is finished yet.</Empty> : null}
              <RunSteps run={detail} replayed={step} />
              {draft === undefined || detail.state === "ended" ? null : <DraftMessage draft={draft} />}
            </Section>
            {detail.waits === null ? null : (
              <Section title="Why it waits">
                <div class="card">
                  <Waits waits={[detail.waits]} />
                </div>
              </Section>
            )}
            {detail.reason === null || detail.waits !== null ? null : (
              <Section title={detail.outcome === null ? "Why it waits" : "Why it is incomplete"}>
                <div class="card">
                  <RichText text={detail.reason} />
                </div>
              </Section>
            )}
            {detail.detail === null || step !== undefined ? null : (
              <Section title={detail.outcome === "failed" ? "Why it failed" : "Said"}>
                <div class="card">
                  <RichText text={detail.detail} />
                </div>
              </Section>
            )}
            {detail.receipt === null ? null : (
              <div class="beside">
                <RunReceipt receipt={detail.receipt} />
                <RunPrompt run={detail.id} />
              </div>
            )}
            {detail.guard.length === 0 ? null : <GuardUses uses={detail.guard} />}
            {detail.detailsRemovedAt === null ? null : (
              <p class="dim">What it was given and its tool calls were removed, because they were old.</p>
            )}
          </>
        )}
      </Loaded>
    </div>
  );
}

function Header({ detail }: { readonly detail: RunDetailView }) {
  const { id, agent, space, lane, definition, startedAt, endedAt, model, usage } = detail;
  return (
    <>
      <header class="view-header">
        <h1>
          <Name name={agent} /> <span class="dim">in</span> <SpaceLink space={space} />
        </h1>
        <RunState run={detail} />
      </header>
      <dl class="facts">
        {definition === null || definition.files.length === 0 ? null : (
          <>
            <dt>Defined by</dt>
            <dd>
              {definition.files.join(", ")}
              {definition.now === "same" ? "" : `, ${definition.now} since the run began`}
            </dd>
          </>
        )}
        <dt>When</dt>
        <dd>
          <Timestamp at={startedAt} />
          {endedAt === null ? "" : `, ${duration(Date.parse(endedAt) - Date.parse(startedAt))} in all`}, at work for{" "}
          {duration(usage.wallTimeMs)}
        </dd>
        {model === null ? null : (
          <>
            <dt>Model</dt>
            <dd>{model}</dd>
          </>
        )}
        <dt>Tokens</dt>
        <dd>{tokenText(usage.tokens)}</dd>
        <dt>Cost</dt>
        <dd>{runCostText(usage)}</dd>
        <dt>Lane</dt>
        <dd>{lane}</dd>
        <dt>Id</dt>
        <dd>
          <code>{id}</code>
        </dd>
      </dl>
    </>
  );
}
