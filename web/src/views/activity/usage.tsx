import { useState } from "preact/hooks";
import type { UsageView as UsageTotals } from "../../../../src/contract/usage.ts";
import { Empty, Link, Loaded, Section, Table } from "../../parts/elements.tsx";
import { PlaceChoice } from "../../parts/team/place-choice.tsx";
import { useOperation } from "../../state/page-context.ts";
import { usageChart, type DayAmount, type UsageMeasure } from "../../state/charts/usage-chart.ts";
import { costText, countOf, tokenText } from "../../text/figures.ts";
import { spaceName } from "../../text/space-name.ts";
import { duration } from "../../text/time.ts";
import { visibleText } from "../../text/visible-text.ts";

const PARTS = ["agent", "workflow", "workspace", "model"] as const;
const RANGES = { "7": "7 days", "30": "30 days", "90": "90 days", all: "all time" } as const;
const DAY_MS = 24 * 60 * 60_000;

/** Cost and tokens by day, for agents, workflows, workspaces or models. */
export function UsageView() {
  const [by, setBy] = useState<(typeof PARTS)[number]>("agent");
  const [measure, setMeasure] = useState<UsageMeasure>("cost");
  const [range, setRange] = useState<keyof typeof RANGES>("30");
  const since = range === "all" ? undefined : new Date(Date.now() - (Number(range) - 1) * DAY_MS);
  const inRange = since === undefined ? {} : { since: since.toISOString().slice(0, 10) };
  const history = useOperation("list-usage-history", { by, ...inRange }, ["runs"]);
  const whole = useOperation("show-usage", inRange, ["runs"]);
  return (
    <div class="view wide">
      <header class="view-header">
        <h1>Usage</h1>
        <PlaceChoice label="Runs of" routeOf={(target) => ({ view: "runs", target })} />
      </header>
      <p class="filter">
        <Choice label="By" values={PARTS} value={by} onChange={setBy} />
        <Choice label="Show" values={["cost", "tokens"] as const} value={measure} onChange={setMeasure} />
        <label>
          Of{" "}
          <select value={range} onChange={(event) => setRange(event.currentTarget.value as keyof typeof RANGES)}>
            {Object.entries(RANGES).map(([key, text]) => (
              <option key={key} value={key}>
                {text}
              </option>
            ))}
          </select>
        </label>
      </p>
      <Loaded result={history}>
        {({ days }) =>
          days.length === 0 ? (
            <Empty>
              Nothing was used in this time. <Link to={{ view: "overview" }}>Start a workflow</Link>
            </Empty>
          ) : (
            <>
              <Chart days={days} measure={measure} by={by} onTokens={() => setMeasure("tokens")} />
              <Sums days={days} by={by} total={whole?.ok === true ? whole.value.total : undefined} />
            </>
          )
        }
      </Loaded>
    </div>
  );
}

function Choice<T extends string>({
  label,
  values,
  value,
  onChange,
}: {
  readonly label: string;
  readonly values: readonly T[];
  readonly value: T;
  readonly onChange: (value: T) => void;
}) {
  return (
    <label>
      {label}{" "}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value as T)}>
        {values.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </label>
  );
}

const [HEIGHT, FOOT] = [240, 22];
/** Text is as large on a phone as on a large screen. */
const widthOf = (): number => (matchMedia("(max-width: 760px)").matches ? 380 : 900);

/** Bars by day. Each colour is one agent, workspace or model; the table below says the same in numbers. */
function Chart({
  days,
  measure,
  by,
  onTokens,
}: {
  readonly days: readonly DayAmount[];
  readonly measure: UsageMeasure;
  readonly by: string;
  readonly onTokens: () => void;
}) {
  const chart = usageChart(days, measure);
  const width = widthOf();
  const step = width / Math.max(1, chart.days.length);
  const height = (amount: number): number => (chart.most === 0 ? 0 : (amount / chart.most) * (HEIGHT - FOOT - 14));
  const text = (amount: number): string =>
    measure === "cost" ? `$${amount.toFixed(amount > 0 && amount < 0.1 ? 4 : 2)}` : amount.toLocaleString("en");
  const title = measure === "cost" ? "Cost by day" : "Tokens by day";
  if (chart.most === 0) {
    return (
      <Section title={title}>
        <Empty>
          {chart.unknownSteps > 0
            ? `The ${measure} of all ${countOf(chart.unknownSteps, "step")} is unknown. `
            : "Nothing was spent in this time. "}
          {measure === "cost" ? (
            <button type="button" class="link" onClick={onTokens}>
              Show tokens
            </button>
          ) : null}
        </Empty>
      </Section>
    );
  }
  return (
    <Section title={title}>
      <svg
        class="chart"
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        aria-label={`${measure} by day and ${by}, at most ${text(chart.most)} on one day`}
      >
        <text x="0" y="11" class="chart-text">
          {text(chart.most)}
        </text>
        <line x1="0" x2={width} y1={HEIGHT - FOOT} y2={HEIGHT - FOOT} class="chart-line" />
        {chart.days.map(({ day, amounts }, at) => {
          let y = HEIGHT - FOOT;
          return (
            <g key={day}>
              <title>{`${day}: ${amounts.map((amount, key) => `${chart.keys[key]} ${text(amount)}`).join(", ")}`}</title>
              {amounts.map((amount, key) => {
                y -= height(amount);
                return (
                  <rect
                    key={chart.keys[key]}
                    class={`series series-${key}`}
                    x={at * step + step * 0.1}
                    y={y}
                    width={Math.min(step * 0.8, 60)}
                    height={height(amount)}
                  />
                );
              })}
              {chart.days.length <= 12 || at % Math.ceil(chart.days.length / 10) === 0 ? (
                <text x={at * step + step * 0.1} y={HEIGHT - 6} class="chart-text">
                  {day.slice(5)}
                </text>
              ) : null}
            </g>
          );
        })}
      </svg>
      <p class="timeline-key dim">
        {chart.keys.map((key, at) => (
          <span key={key}>
            <i class={`bar-sample series-${at}`} aria-hidden="true" /> {visibleText(spaceName(key))}
          </span>
        ))}
      </p>
      {chart.unknownSteps === 0 ? null : (
        <p class="warn-text">
          The {measure} of {countOf(chart.unknownSteps, "step")} is unknown and in no bar.
        </p>
      )}
    </Section>
  );
}

function Sums({
  days,
  by,
  total,
}: {
  readonly days: readonly DayAmount[];
  readonly by: string;
  readonly total: UsageTotals | undefined;
}) {
  const column = by.charAt(0).toUpperCase() + by.slice(1);
  const rows = days.toReversed();
  return (
    <Section title="In numbers">
      <Table columns={["Day", column, "Runs", "Tokens", "Time", "Cost"]} numbers={["Runs", "Time", "Cost"]}>
        {rows.slice(0, MOST_ROWS).map(({ day, key, usage }) => (
          <tr key={`${day} ${key}`}>
            <td>{day}</td>
            <th scope="row">{visibleText(spaceName(key))}</th>
            <td class="number">{usage.runs}</td>
            <td class="dim">{tokenText(usage.tokens)}</td>
            <td class="number">{duration(usage.wallTimeMs)}</td>
            <td class="number">{costText(usage.cost)}</td>
          </tr>
        ))}
        {total === undefined ? null : (
          <tr class="total">
            <td>All</td>
            <th scope="row">
              <span class="unseen">all together</span>
            </th>
            <td class="number">{total.runs}</td>
            <td class="dim">{tokenText(total.tokens)}</td>
            <td class="number">{duration(total.wallTimeMs)}</td>
            <td class="number">{costText(total.cost)}</td>
          </tr>
        )}
      </Table>
      {rows.length > MOST_ROWS ? (
        <p class="dim">
          The newest {MOST_ROWS} of {rows.length} rows.
        </p>
      ) : null}
    </Section>
  );
}

const MOST_ROWS = 100;
