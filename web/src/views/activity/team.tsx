import { useEffect, useState } from "preact/hooks";
import { Badge, Empty, Link, Loaded, Name, Section, SpaceLink, Table, Timestamp } from "../../parts/elements.tsx";
import { PlaceChoice } from "../../parts/team/place-choice.tsx";
import { RunState } from "../../parts/run-table.tsx";
import { SpaceHeader } from "../../parts/space-header.tsx";
import { TimelineLanes } from "../../parts/team/timeline-lanes.tsx";
import { WakeGraph } from "../../parts/team/wake-graph.tsx";
import { useOperation } from "../../state/page-context.ts";
import { countOf } from "../../text/figures.ts";
import { withoutNamedIds } from "../../text/notice-text.ts";
import { plainLine } from "../../text/plain-line.ts";
import { Nodes } from "./nodes.tsx";

/** Who woke whom, and what took how long: in the project, in one place, or in one chain of messages. */
export function TeamView({
  target,
  chain,
}: {
  readonly target: string | undefined;
  /** Id of a run or message of the chain. */
  readonly chain: string | undefined;
}) {
  const [before, setBefore] = useState<string>();
  const about = { ...(target === undefined ? {} : { target }), ...(chain === undefined ? {} : { chain }) };
  const shown = useOperation("show-timeline", { ...about, ...(before === undefined ? {} : { before }) }, ["runs"]);
  const isLive = shown?.ok === true && shown.value.runs.some(({ endedAt }) => endedAt === null);
  const now = useNow(isLive);
  return (
    <div class="view wide">
      {target === undefined ? (
        <header class="view-header">
          <h1>{chain === undefined ? "Team" : "What one message led to"}</h1>
          {chain === undefined ? (
            <PlaceChoice label="Of" routeOf={(place) => ({ view: "team", target: place })} />
          ) : null}
        </header>
      ) : (
        <SpaceHeader space={target} view="team" />
      )}
      <Loaded result={shown} next={{ label: "The whole team", to: { view: "team", target: undefined } }}>
        {({ runs, next }) =>
          runs.length === 0 ? (
            <Empty>
              Nobody was woken here yet. <Link to={{ view: "overview" }}>Start a workflow</Link> or write a message.
            </Empty>
          ) : (
            <>
              {target === undefined && chain === undefined ? <Nodes /> : null}
              <Section title="Who woke whom">
                <WakeGraph runs={runs} />
              </Section>
              <Section title="Timeline">
                <TimelineLanes runs={runs} now={now} />
              </Section>
              <p class="actions">
                {before === undefined ? null : (
                  <button type="button" class="button" onClick={() => setBefore(undefined)}>
                    Newest
                  </button>
                )}
                {next === null ? null : (
                  <button type="button" class="button" onClick={() => setBefore(next)}>
                    Earlier
                  </button>
                )}
                <span class="dim">{countOf(runs.length, "run")} shown</span>
              </p>
              <Section title="Runs">
                <Wakes runs={runs} />
              </Section>
            </>
          )
        }
      </Loaded>
    </div>
  );
}

const TICK_MS = 1_000;

/** Returns the time, again every second while something is at work. */
function useNow(isLive: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    setNow(Date.now());
    if (!isLive) return undefined;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isLive]);
  return now;
}

/** The same in words. */
function Wakes({ runs }: { readonly runs: Parameters<typeof WakeGraph>[0]["runs"] }) {
  return (
    <Table columns={["Agent", "Woken by", "In", "State", "Started", "Chain"]}>
      {runs.map((run) => (
        <tr key={run.id}>
          <th scope="row">
            <Link to={{ view: "run", run: run.id }}>
              <Name name={run.agent} />
            </Link>
          </th>
          <td class="wide-cell">
            {run.wokenBy === null ? (
              <span class="dim">unknown</span>
            ) : (
              <>
                <Name name={run.wokenBy.from} />{" "}
                <Link to={{ view: "channel", space: run.space, message: run.wokenBy.seq }} class="dim">
                  {plainLine(withoutNamedIds(run.wokenBy.excerpt).split("\n")[0] ?? "")}
                </Link>
              </>
            )}
          </td>
          <td>
            <SpaceLink space={run.space} class="dim" />
          </td>
          <td>
            <RunState run={run} /> {run.lane === "normal" ? null : <Badge>{run.lane}</Badge>}
          </td>
          <td class="dim">
            <Timestamp at={run.startedAt} />
          </td>
          <td>
            <Link to={{ view: "chain", id: run.id }}>chain</Link>
          </td>
        </tr>
      ))}
    </Table>
  );
}
