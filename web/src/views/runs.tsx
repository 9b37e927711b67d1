import { useState } from "preact/hooks";
import { Link, Loaded } from "../parts/elements.tsx";
import { PlaceChoice } from "../parts/team/place-choice.tsx";
import { RunTable } from "../parts/run-table.tsx";
import { SpaceHeader } from "../parts/space-header.tsx";
import { useOperation } from "../state/page-context.ts";
import { costText, countOf, tokenText } from "../text/figures.ts";
import { duration } from "../text/time.ts";

const PAGE = 50;

export function Runs({ target }: { readonly target: string | undefined }) {
  const [before, setBefore] = useState<string>();
  const about = target === undefined ? {} : { target };
  const page = before === undefined ? {} : { before };
  const listed = useOperation("list-runs", { ...about, ...page, limit: PAGE }, ["runs"]);
  const usage = useOperation("show-usage", about, ["runs"]);
  return (
    <div class="view">
      {target === undefined ? (
        <header class="view-header">
          <h1>Runs</h1>
        </header>
      ) : (
        <SpaceHeader space={target} view="runs" />
      )}
      <p class="filter">
        <PlaceChoice label="Runs of" place={target ?? ""} routeOf={(place) => ({ view: "runs", target: place })} />
        {usage?.ok === true && usage.value.total.runs > 0 ? (
          <span class="dim">
            {countOf(usage.value.total.runs, "run")} in all, {duration(usage.value.total.wallTimeMs)},{" "}
            {tokenText(usage.value.total.tokens)} tokens, cost {costText(usage.value.total.cost)},{" "}
            <Link to={{ view: "usage" }}>by day</Link>
          </span>
        ) : null}
      </p>
      <Loaded result={listed}>
        {({ runs }) => (
          <>
            <RunTable runs={runs} />
            <p class="actions">
              {before === undefined ? null : (
                <button type="button" class="button" onClick={() => setBefore(undefined)}>
                  Newest
                </button>
              )}
              {runs.length < PAGE ? null : (
                <button type="button" class="button" onClick={() => setBefore(runs.at(-1)?.id)}>
                  Earlier
                </button>
              )}
            </p>
          </>
        )}
      </Loaded>
    </div>
  );
}
