import type { TimedRunView } from "../../../../src/contract/activity/timeline.ts";
import { lanesOf, timeScale, type TimelineRun } from "../../state/charts/timeline.ts";
import { hrefOf } from "../../state/route.ts";
import { clockTime, duration } from "../../text/time.ts";
import { visibleText } from "../../text/visible-text.ts";
import { Name } from "../elements.tsx";

const KINDS = { waiting: "waits", model: "model", tools: "tools", parked: "parked" } as const;

/** When each agent waited, asked its model, used tools and was parked. Each bar leads to its run. */
export function TimelineLanes({ runs, now }: { readonly runs: readonly TimedRunView[]; readonly now: number }) {
  const lanes = lanesOf(runs, now);
  const bars = lanes.flatMap((lane) => lane.runs.flatMap((each) => each.bars));
  const scale = timeScale(bars);
  const first = Math.min(...bars.map(({ from }) => from));
  const last = Math.max(...bars.map(({ to }) => to));
  return (
    <div class="timeline">
      <p class="timeline-key dim">
        {Object.entries(KINDS).map(([kind, word]) => (
          <span key={kind}>
            <i class={`bar-sample ${kind}`} aria-hidden="true" /> {word}
          </span>
        ))}
        {bars.length === 0 ? null : (
          <span>
            {clockTime(new Date(first).toISOString())} to {clockTime(new Date(last).toISOString())}; idle time is
            shortened
          </span>
        )}
      </p>
      <ul class="lanes" aria-label="Timeline">
        {lanes.map(({ agent, runs: own }) => (
          <li key={agent} class="lane">
            <span class="lane-name">
              <Name name={agent} />
            </span>
            <span class="lane-track">
              {own.map((each) => (
                <Run key={each.run.id} shown={each} scale={scale} />
              ))}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Run({
  shown: { run, bars },
  scale,
}: {
  readonly shown: TimelineRun;
  readonly scale: (time: number) => number;
}) {
  const [first, last] = [bars[0], bars.at(-1)];
  if (first === undefined || last === undefined) return null;
  const [left, right] = [scale(first.from), scale(last.to)];
  const width = Math.max(right - left, 0.4);
  const inside = (time: number): number => ((scale(time) - left) / width) * 100;
  const label = textOf(run);
  return (
    <a
      class={`timeline-run ${run.outcome ?? run.state}`}
      href={hrefOf({ view: "run", run: run.id })}
      style={{ left: `${left}%`, width: `${width}%` }}
      title={label}
      aria-label={label}
    >
      {bars.map(({ kind, from, to }) => (
        <i
          key={`${kind} ${from}`}
          class={`bar ${kind}`}
          style={{ left: `${inside(from)}%`, width: `${Math.max(inside(to) - inside(from), 0)}%` }}
        />
      ))}
    </a>
  );
}

function textOf(run: TimedRunView): string {
  const tools = run.steps.reduce<number | null>(
    (sum, { toolMs }) => (sum === null || toolMs === null ? null : sum + toolMs),
    0,
  );
  const waited = run.wokenBy === null ? undefined : Date.parse(run.startedAt) - Date.parse(run.wokenBy.at);
  return [
    `${run.agent}, ${run.outcome ?? run.state}`,
    ...(run.wokenBy === null ? [] : [`woken by ${run.wokenBy.from}: ${visibleText(run.wokenBy.excerpt).slice(0, 80)}`]),
    ...(waited === undefined ? [] : [`waited ${duration(waited)}`]),
    `at work ${duration(run.usage.wallTimeMs)}`,
    tools === null ? "tool time unknown" : `tools ${duration(tools)}`,
  ].join("; ");
}
