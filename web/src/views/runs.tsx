import { Loaded } from "../parts/elements.tsx";
import { RunTable } from "../parts/run-table.tsx";
import { SpaceHeader } from "../parts/space-header.tsx";
import { useOperation, useTeam } from "../state/page-context.ts";
import { hrefOf } from "../state/route.ts";
import { costText, countOf, tokenText } from "../text/figures.ts";
import { spaceName } from "../text/space-name.ts";
import { duration } from "../text/time.ts";

export function Runs({ target }: { readonly target: string | undefined }) {
  const agents = useTeam((state) => state.agents);
  const workspaces = useTeam((state) => state.workspaces);
  const about = target === undefined ? {} : { target };
  const listed = useOperation("list-runs", { ...about, limit: 100 }, ["runs"]);
  const usage = useOperation("show-usage", about, ["runs"]);
  const targets = [...workspaces.map(({ space }) => space), ...agents.map(({ name }) => name)];
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
        <label>
          Runs of{" "}
          <select
            value={target ?? ""}
            onChange={(event) => {
              const { value } = event.currentTarget;
              location.hash = hrefOf({ view: "runs", target: value === "" ? undefined : value });
            }}
          >
            <option value="">the whole project</option>
            {targets.map((each) => (
              <option key={each} value={each}>
                {spaceName(each)}
              </option>
            ))}
          </select>
        </label>
        {usage?.ok === true ? (
          <span class="dim">
            {countOf(usage.value.total.runs, "run")} in all, {duration(usage.value.total.wallTimeMs)},{" "}
            {tokenText(usage.value.total.tokens)} tokens, cost {costText(usage.value.total.cost)}
          </span>
        ) : null}
      </p>
      <Loaded result={listed}>{({ runs }) => <RunTable runs={runs} />}</Loaded>
    </div>
  );
}
