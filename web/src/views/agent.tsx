import type { AgentDetailView } from "../../../src/contract/agents.ts";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { Empty, Fold, Link, Loaded, Section, SpaceLink, Timestamp } from "../parts/elements.tsx";
import { RichText } from "../parts/rich-text.tsx";
import { RunTable } from "../parts/run-table.tsx";
import { Waits } from "../parts/waits.tsx";
import { SpaceHeader } from "../parts/space-header.tsx";
import { useOperation, usePage, useTeam } from "../state/page-context.ts";
import { ACTIVITY_CLASSES, activityOf } from "../state/run-activity.ts";
import { spaceName } from "../text/space-name.ts";
import { visibleText } from "../text/visible-text.ts";
import { AgentContext } from "./agent-context.tsx";
import { Grants } from "./grants.tsx";
import { Soul, Traits } from "./soul.tsx";

/** An agent: its state, its soul, its personal context, its tools and runs. */
export function Agent({ agent }: { readonly agent: string }) {
  const at = agent.indexOf("@");
  return at === -1 ? <ProjectAgent agent={agent} /> : <WorkspaceAgent agent={agent} space={agent.slice(at)} />;
}

/** An agent that exists only in one workspace has nothing but its runs. */
function WorkspaceAgent({ agent, space }: { readonly agent: string; readonly space: string }) {
  return (
    <div class="view">
      <SpaceHeader space={space} view="agent" />
      <p>
        <strong>{agent.slice(0, agent.indexOf("@"))}</strong> exists in <SpaceLink space={space} /> only. It has no
        memory of its own.
      </p>
      <AgentWaits agent={agent.slice(0, agent.indexOf("@"))} space={space} />
      <WorkspaceGrants agent={agent} />
      <Runs target={agent} />
    </div>
  );
}

function WorkspaceGrants({ agent }: { readonly agent: string }) {
  const listed = useOperation("list-grants", { target: agent }, ["agents"]);
  return <Loaded result={listed}>{({ grants }) => <Grants grants={grants} targets={[agent]} />}</Loaded>;
}

function AgentWaits({ agent, space }: { readonly agent: string; readonly space?: string }) {
  const all = useTeam((state) => state.waits);
  const waits = all.filter((wait) => wait.agent === agent && wait.space === (space ?? wait.space));
  return waits.length === 0 ? null : (
    <Section title="Waiting" count={waits.length}>
      <Waits waits={waits} />
    </Section>
  );
}

function ProjectAgent({ agent }: { readonly agent: string }) {
  const shown = useOperation("show-agent", { name: agent }, ["agents", "personal"]);
  return (
    <div class="view">
      <SpaceHeader space={agent} view="agent" />
      <Loaded result={shown}>
        {(detail) => (
          <>
            <Facts detail={detail} />
            <AgentWaits agent={agent} />
            <Identity detail={detail} />
            {detail.context === null ? (
              <Empty>It is here for now only, without memory, notes or todos.</Empty>
            ) : (
              <AgentContext agent={agent} />
            )}
            <Grants grants={detail.grants} targets={[agent, ...detail.workspaces.map((space) => agent + space)]} />
            <Section title="Tools">
              <Fold summary="What it can do">{() => <ToolList agent={agent} />}</Fold>
            </Section>
            <Runs target={agent} />
          </>
        )}
      </Loaded>
    </div>
  );
}

function Facts({ detail }: { readonly detail: AgentDetailView }) {
  const { daemon, notify } = usePage();
  const runs = useTeam((state) => state.runs);
  const blocked = useTeam((state) => state.blocked);
  const schedules = useOperation("list-schedules", {}, ["schedules"]);
  const { name, backend, model, workspaces, open } = detail;
  const current = runs.filter((run) => run.agent === name && (run.space === name || workspaces.includes(run.space)));
  const schedule =
    schedules?.ok === true ? schedules.value.schedules.filter(({ agents }) => agents.includes(name)) : [];
  const waiting = Object.entries(open).filter(([, count]) => count > 0);
  const stop = async (): Promise<void> => {
    const stopped = await daemon.stopAgent(name);
    notify(stopped.ok ? `${name} has stopped, until something new comes.` : stopped.error.message);
  };
  return (
    <dl class="facts">
      <dt>State</dt>
      <dd>
        {current.length === 0
          ? detail.state === "idle"
            ? "idle, nothing to do"
            : detail.state
          : current.map((run) => (
              <span key={run.id} class="fact-line">
                <span class={`state ${ACTIVITY_CLASSES[activityOf(run, blocked)]}`} aria-hidden="true" />
                <Link to={{ view: "run", run: run.id }}>
                  {activityOf(run, blocked)} in {spaceName(run.space)}
                </Link>
              </span>
            ))}
        {current.some(({ state }) => state === "open") ? (
          <ConfirmButton label="Stop" onConfirm={() => void stop()} />
        ) : null}
      </dd>
      <dt>Engine</dt>
      <dd>
        {backend}
        {model === null ? "" : `, ${visibleText(model)}`}
      </dd>
      <dt>Inbox</dt>
      <dd>{waiting.length === 0 ? "nothing" : waiting.map(([lane, count]) => `${count} ${lane}`).join(", ")}</dd>
      <dt>Workspaces</dt>
      <dd>
        {workspaces.length === 0
          ? "none"
          : workspaces.map((space) => <SpaceLink key={space} space={space} class="chip" />)}
      </dd>
      <dt>Schedule</dt>
      <dd>
        {schedule.length === 0
          ? "none"
          : schedule.map(({ target, wakeup, prompt, reason, nextAt }) => (
              <span key={target} class="fact-line">
                {wakeup}
                {prompt === null ? "" : `: ${visibleText(prompt)}`}
                <span class="dim">
                  {nextAt === null ? (
                    ` rests: ${visibleText(reason ?? "")}`
                  ) : (
                    <>
                      {" "}
                      next at <Timestamp at={nextAt} />
                    </>
                  )}
                </span>
              </span>
            ))}
      </dd>
    </dl>
  );
}

function Identity({ detail: { name, prompt, soul, context } }: { readonly detail: AgentDetailView }) {
  return (
    <Section title="Who it is">
      {context === null ? <Traits soul={soul} /> : <Soul agent={name} />}
      <details>
        <summary>System prompt</summary>
        {"system" in prompt ? <RichText text={prompt.system} /> : <p>In the file {visibleText(prompt.systemFile)}.</p>}
      </details>
    </Section>
  );
}

function ToolList({ agent }: { readonly agent: string }) {
  const listed = useOperation("list-tools", { agent }, ["agents"]);
  return (
    <Loaded result={listed}>
      {({ tools }) => (
        <ul class="plain-list">
          {tools.map(({ name, description }) => (
            <li key={name}>
              <code>{visibleText(name)}</code> <span class="dim">{visibleText(description ?? "")}</span>
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  );
}

function Runs({ target }: { readonly target: string }) {
  const listed = useOperation("list-runs", { target, limit: 10 }, ["runs"]);
  return (
    <Section title="Last runs">
      <Loaded result={listed}>{({ runs }) => <RunTable runs={runs} />}</Loaded>
    </Section>
  );
}
