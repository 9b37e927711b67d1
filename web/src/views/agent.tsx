import { useState } from "preact/hooks";
import type { AgentDetailView } from "../../../src/contract/agents.ts";
import { useAsked, usePage, useTeam } from "../state/page-context.ts";
import { spaceName } from "../text/space-name.ts";
import { visibleText } from "../text/visible-text.ts";
import { AgentContext } from "./agent-context.tsx";
import { Answered, Go, Nothing, Section, SpaceLink, SureButton } from "../parts/parts.tsx";
import { RichText } from "../parts/rich-text.tsx";
import { RunTable } from "../parts/run-table.tsx";
import { Soul, Traits } from "./soul.tsx";
import { SpaceHeader } from "../parts/space-header.tsx";

/** Who an agent is, what it does now, and what it carries with it. */
export function Agent({ agent }: { readonly agent: string }) {
  const at = agent.indexOf("@");
  return at === -1 ? <ProjectAgent agent={agent} /> : <Guest agent={agent} space={agent.slice(at)} />;
}

/** Exists in one workspace only: it has no page of its own beyond what it did there. */
function Guest({ agent, space }: { readonly agent: string; readonly space: string }) {
  return (
    <div class="view">
      <SpaceHeader space={space} view="agent" />
      <p>
        <strong>{agent.slice(0, agent.indexOf("@"))}</strong> exists in <SpaceLink space={space} /> only. It has no
        memory of its own.
      </p>
      <Runs target={agent} />
    </div>
  );
}

function ProjectAgent({ agent }: { readonly agent: string }) {
  const shown = useAsked("show-agent", { name: agent }, ["agents", "personal"]);
  return (
    <div class="view">
      <SpaceHeader space={agent} view="agent" />
      <Answered answer={shown}>
        {(detail) => (
          <>
            <Facts detail={detail} />
            <Character detail={detail} />
            {detail.context === null ? (
              <Nothing>It is here for now only, without memory, notes or todos.</Nothing>
            ) : (
              <AgentContext agent={agent} />
            )}
            <Tools agent={agent} />
            <Runs target={agent} />
          </>
        )}
      </Answered>
    </div>
  );
}

function Facts({ detail }: { readonly detail: AgentDetailView }) {
  const { daemon, tell } = usePage();
  const runs = useTeam((state) => state.runs);
  const schedules = useAsked("list-schedules", {}, ["schedules"]);
  const { name, backend, model, workspaces, open } = detail;
  const current = runs.filter((run) => run.agent === name && (run.space === name || workspaces.includes(run.space)));
  const schedule =
    schedules?.ok === true ? schedules.value.schedules.filter(({ agents }) => agents.includes(name)) : [];
  const waiting = Object.entries(open).filter(([, count]) => count > 0);
  const stop = async (): Promise<void> => {
    const stopped = await daemon.stopAgent(name);
    tell(stopped.ok ? `${name} has stopped, until something new comes.` : stopped.error.message);
  };
  return (
    <dl class="facts">
      <dt>State</dt>
      <dd>
        {current.length === 0
          ? `${detail.state}, nothing to do`
          : current.map((run) => (
              <span key={run.id} class="fact-line">
                <span class={`state ${run.state === "open" ? "working" : run.state}`} aria-hidden="true" />
                <Go to={{ view: "run", run: run.id }}>
                  {run.state === "open" ? "at work" : run.state} in {spaceName(run.space)}
                </Go>
              </span>
            ))}
        {current.some(({ state }) => state === "open") ? <SureButton label="Stop" onSure={() => void stop()} /> : null}
      </dd>
      <dt>Engine</dt>
      <dd>
        {backend}
        {model === null ? "" : `, ${visibleText(model)}`}
      </dd>
      <dt>Waiting</dt>
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
          : schedule.map(({ target, wakeup, prompt, nextAt }) => (
              <span key={target} class="fact-line">
                {wakeup}
                {prompt === null ? "" : `: ${visibleText(prompt)}`}
                <span class="dim"> next at {new Date(nextAt).toLocaleString()}</span>
              </span>
            ))}
      </dd>
    </dl>
  );
}

function Character({ detail: { name, prompt, soul, context } }: { readonly detail: AgentDetailView }) {
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

function Tools({ agent }: { readonly agent: string }) {
  const [open, setOpen] = useState(false);
  return (
    <Section title="Tools">
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>What it can do</summary>
        {open ? <ToolList agent={agent} /> : null}
      </details>
    </Section>
  );
}

function ToolList({ agent }: { readonly agent: string }) {
  const listed = useAsked("list-tools", { agent });
  return (
    <Answered answer={listed}>
      {({ tools }) => (
        <ul class="plain-list">
          {tools.map(({ name, description }) => (
            <li key={name}>
              <code>{visibleText(name)}</code> <span class="dim">{visibleText(description ?? "")}</span>
            </li>
          ))}
        </ul>
      )}
    </Answered>
  );
}

function Runs({ target }: { readonly target: string }) {
  const listed = useAsked("list-runs", { target, limit: 10 }, ["runs"]);
  return (
    <Section title="Last runs">
      <Answered answer={listed}>{({ runs }) => <RunTable runs={runs} />}</Answered>
    </Section>
  );
}
