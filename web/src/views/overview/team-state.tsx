import type { ComponentChildren } from "preact";
import type { AgentView } from "../../../../src/contract/agents.ts";
import { Avatar, Link, Section } from "../../parts/elements.tsx";
import { useOperation, useTeam } from "../../state/page-context.ts";
import type { Route } from "../../state/route.ts";
import { ACTIVITY_CLASSES, activityOf, type RunActivity } from "../../state/run-activity.ts";
import { costText, countOf, tokenText } from "../../text/figures.ts";
import { spaceName } from "../../text/space-name.ts";
import { visibleText } from "../../text/visible-text.ts";

/** The figures that a person looks at first. Each leads to what it counts. */
export function Figures({ working, awaiting }: { readonly working: number; readonly awaiting: number | undefined }) {
  const usage = useOperation("show-usage", {}, ["runs"]);
  const agents = useTeam((state) => state.agents.length);
  const open = useTeam(({ workspaces }) => workspaces.filter(({ state }) => state === "open").length);
  if (agents === 0) return null;
  const total = usage?.ok === true ? usage.value.total : undefined;
  return (
    <div class="figures">
      <Figure to={{ view: "runs", target: undefined }} label="at work" kind={working > 0 ? "good" : ""}>
        {working}
      </Figure>
      <Figure to={{ view: "decisions" }} label="waiting for you" kind={(awaiting ?? 0) > 0 ? "press" : ""}>
        {awaiting ?? "…"}
      </Figure>
      <Figure to={{ view: "team", target: undefined }} label={`in ${countOf(open, "workspace")}`}>
        {countOf(agents, "agent")}
      </Figure>
      <Figure
        to={{ view: "usage" }}
        label={
          total === undefined
            ? "used so far"
            : total.runs === 0
              ? "nothing used yet"
              : `${total.cost.basis === "estimated" ? "estimated; " : ""}${countOf(total.runs, "run")}, ${tokenText(total.tokens)}`
        }
      >
        {total === undefined ? "…" : costText(total.cost).replace(" estimated", "")}
      </Figure>
    </div>
  );
}

function Figure({
  to,
  label,
  kind = "",
  children,
}: {
  readonly to: Route;
  readonly label: string;
  readonly kind?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <Link to={to} class={`figure ${kind}`}>
      <span class="figure-value">{children}</span> <span class="dim">{label}</span>
    </Link>
  );
}

/** So many are shown here; the others are in the navigation. */
const MOST_AGENTS = 12;

/** An agent whose runs say nothing: it has none. */
const RESTING: Readonly<Partial<Record<AgentView["state"], string>>> = { stopped: "stopped", rests: "rests" };

/** Those who do something first. */
const ORDER: readonly (RunActivity | undefined)[] = ["waiting for you", "at work", "parked", undefined];

export function Members() {
  const agents = useTeam((state) => state.agents);
  const runs = useTeam((state) => state.runs);
  const blocked = useTeam((state) => state.blocked);
  if (agents.length === 0) return null;
  // The runs say it, as everywhere else: the list of agents is loaded less often.
  const doing = agents.map((agent) => {
    const activities = runs.filter((run) => run.agent === agent.name).map((run) => activityOf(run, blocked));
    return { agent, activity: ORDER.find((each) => each !== undefined && activities.includes(each)) };
  });
  const shown = doing.toSorted((a, b) => ORDER.indexOf(a.activity) - ORDER.indexOf(b.activity)).slice(0, MOST_AGENTS);
  return (
    <Section title="Agents" count={agents.length}>
      <ul class="agent-cards">
        {shown.map(({ agent: { name, state, work, model, backend }, activity }) => (
          <li key={name}>
            <Link to={{ view: "channel", space: name }} class="agent-card">
              <Avatar name={name} />
              <span class="agent-card-text">
                <strong>{visibleText(name)}</strong>
                <span class="dim one-row">
                  <span
                    class={`state ${activity === undefined ? "" : ACTIVITY_CLASSES[activity]}`}
                    aria-hidden="true"
                  />{" "}
                  {activity ?? RESTING[state] ?? "idle"}
                  {activity === undefined || work === null
                    ? ` · ${visibleText(model ?? backend)}`
                    : ` · ${spaceName(work.space)}`}
                </span>
                {activity === undefined || work?.message == null ? null : (
                  <span class="dim one-row">{visibleText(work.message)}</span>
                )}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
