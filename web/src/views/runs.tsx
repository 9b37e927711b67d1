import { useAsked, useTeam } from "../state/page-context.ts";
import { addressOf } from "../state/place.ts";
import { costText, countOf, tokenText } from "../text/figures.ts";
import { duration } from "../text/moment.ts";
import { spaceName } from "../text/space-name.ts";
import { Answered } from "../parts/parts.tsx";
import { RunTable } from "../parts/run-table.tsx";
import { SpaceHeader } from "../parts/space-header.tsx";

export function Runs({ target }: { readonly target: string | undefined }) {
  const agents = useTeam((state) => state.agents);
  const workspaces = useTeam((state) => state.workspaces);
  const about = target === undefined ? {} : { target };
  const listed = useAsked("list-runs", { ...about, limit: 100 }, ["runs"]);
  const usage = useAsked("show-usage", about, ["runs"]);
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
              location.hash = addressOf({ view: "runs", target: value === "" ? undefined : value });
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
      <Answered answer={listed}>{({ runs }) => <RunTable runs={runs} />}</Answered>
    </div>
  );
}
