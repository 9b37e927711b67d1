import type { RunView } from "../../../src/contract/runs.ts";
import { useTeam } from "../state/page-context.ts";
import { activityOf } from "../state/run-activity.ts";
import { runCostText, tokenText } from "../text/figures.ts";
import { duration } from "../text/time.ts";
import { Empty, Link, Name, SpaceLink, Table, Timestamp } from "./elements.tsx";

export function RunTable({ runs }: { readonly runs: readonly RunView[] }) {
  if (runs.length === 0) {
    return (
      <Empty>
        There are no runs. <Link to={{ view: "overview" }}>Start a workflow</Link>, or write to an agent.
      </Empty>
    );
  }
  return (
    <Table
      columns={["Run", "In", "State", "Started", "Steps", "Time", "Tokens", "Cost"]}
      numbers={["Steps", "Time", "Cost"]}
    >
      {runs.map((run) => (
        <tr key={run.id}>
          <th scope="row">
            <Link to={{ view: "run", run: run.id }}>
              <Name name={run.agent} />
            </Link>
          </th>
          <td>
            <SpaceLink space={run.space} class="dim" />
          </td>
          <td>
            <RunState run={run} />
          </td>
          <td class="dim">
            <Timestamp at={run.startedAt} />
          </td>
          <td class="number">{run.usage.steps}</td>
          <td class="number">{run.usage.steps === 0 ? "unknown" : duration(run.usage.wallTimeMs)}</td>
          <td class="dim">{tokenText(run.usage.tokens)}</td>
          <td class="number">{runCostText(run.usage)}</td>
        </tr>
      ))}
    </Table>
  );
}

const BADGE_KINDS: Readonly<Record<string, string>> = {
  answered: "good",
  failed: "bad",
  incomplete: "warn",
  stopped: "warn",
  "at work": "busy",
  "waiting for you": "warn",
};

export function RunState({ run }: { readonly run: RunView }) {
  const blocked = useTeam((state) => state.blocked);
  const word = run.outcome ?? activityOf(run, blocked);
  return (
    <span class={`badge ${BADGE_KINDS[word] ?? ""}`} title={run.reason ?? undefined}>
      {word}
    </span>
  );
}
