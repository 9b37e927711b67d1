import { Badge, Empty, Link, Loaded, Name, Section, Table } from "../parts/elements.tsx";
import { RunTable } from "../parts/run-table.tsx";
import { Waits } from "../parts/waits.tsx";
import { useOperation, useQuery, useTeam } from "../state/page-context.ts";
import { activityOf } from "../state/run-activity.ts";
import { countBroken } from "../state/broken-definitions.ts";
import { costText, countOf, sizeText, tokenText } from "../text/figures.ts";
import { duration } from "../text/time.ts";
import { visibleText } from "../text/visible-text.ts";
import { FirstRun } from "./setup/first-run.tsx";
import { Figures, Members } from "./overview/team-state.tsx";
import { StartWorkflow } from "./start-workflow.tsx";

/** Active runs, workflows to start, usage, and the health of the daemon. */
export function Overview({
  onProject,
  awaiting,
}: {
  readonly onProject: (dir: string) => void;
  /** Decisions that wait for the person. Undefined while it is not known. */
  readonly awaiting: number | undefined;
}) {
  const runs = useTeam((state) => state.runs);
  const blocked = useTeam((state) => state.blocked);
  const waits = useTeam((state) => state.waits);
  const isEmpty = useTeam(({ agents, workspaces }) => agents.length + workspaces.length === 0);
  const working = runs.filter((run) => activityOf(run, blocked) === "at work");
  const resting = runs.filter((run) => activityOf(run, blocked) !== "at work");
  return (
    <div class="view">
      <header class="view-header">
        <h1>Overview</h1>
      </header>
      <FirstRun onProject={onProject} />
      <BrokenDefinitions />
      <Figures working={working.length} awaiting={awaiting} />
      <Members />
      {working.length === 0 ? null : (
        <Section title="At work" count={working.length}>
          <RunTable runs={working} />
        </Section>
      )}
      {resting.length === 0 ? null : (
        <Section title="Waiting" count={resting.length}>
          <Waits waits={waits} />
          <RunTable runs={resting} />
        </Section>
      )}
      {isEmpty ? null : (
        <>
          <StartWorkflow />
          <Usage />
        </>
      )}
      <Health onProject={onProject} />
      <Section title="Keys">
        <ul class="plain-list keys-list">
          <li>
            <kbd>Ctrl</kbd> <kbd>K</kbd> go anywhere
          </li>
          <li>
            <kbd>/</kbd> write a message
          </li>
          <li>
            <kbd>Alt</kbd> <kbd>↑</kbd> <kbd>↓</kbd> the channel above or below
          </li>
          <li>
            <kbd>Ctrl</kbd> <kbd>Enter</kbd> send
          </li>
        </ul>
      </Section>
    </div>
  );
}

function BrokenDefinitions() {
  const problems = useTeam((state) => state.problems);
  if (problems.length === 0) return null;
  return (
    <Section title={countBroken(problems) === 0 ? "Definitions" : "Broken definitions"}>
      <ul class="plain-list">
        {problems.map(({ severity, file, line, column, message }) => (
          <li key={`${file} ${line} ${column} ${message}`}>
            <Badge kind={severity === "error" ? "bad" : "warn"}>{severity}</Badge>{" "}
            <code>
              {visibleText(file)}:{line}:{column}
            </code>{" "}
            {visibleText(message)} <Link to={{ view: "files", file }}>Mend it</Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Usage() {
  const usage = useOperation("show-usage", {}, ["runs"]);
  return (
    <Section title="Used so far">
      <Loaded result={usage}>
        {({ total, agents }) =>
          total.runs === 0 ? (
            <Empty>Nothing was used yet.</Empty>
          ) : (
            <Table columns={["Agent", "Runs", "Tokens", "Time", "Cost"]} numbers={["Runs", "Time", "Cost"]}>
              {[...agents, { agent: "all", mailbox: "", usage: total }].map(({ agent, mailbox, usage: used }) => (
                <tr key={mailbox} class={mailbox === "" ? "total" : ""}>
                  <th scope="row">
                    {mailbox === "" ? (
                      "All"
                    ) : (
                      <Link to={{ view: "agent", agent: mailbox }}>
                        <Name name={agent} />
                      </Link>
                    )}
                  </th>
                  <td class="number">{used.runs}</td>
                  <td class="dim">{tokenText(used.tokens)}</td>
                  <td class="number">{duration(used.wallTimeMs)}</td>
                  <td class="number">{costText(used.cost)}</td>
                </tr>
              ))}
            </Table>
          )
        }
      </Loaded>
    </Section>
  );
}

function Health({ onProject }: { readonly onProject: (dir: string) => void }) {
  const health = useQuery("health", (daemon) => daemon.health(), ["agents", "workspaces", "runs"]);
  const broken = useTeam(({ problems }) => countBroken(problems));
  return (
    <Section title="Daemon">
      <Loaded result={health}>
        {({ status, problems, version, uptimeMs, memory, projects }) => (
          <>
            <p>
              <Badge kind={status !== "ready" ? "bad" : broken === 0 ? "good" : ""}>{status}</Badge>{" "}
              {broken === 0 ? null : <Badge kind="bad">{countOf(broken, "broken definition")}</Badge>}{" "}
              <span class="dim">
                version {version}, up {duration(uptimeMs)}, {sizeText(memory.rss)}
              </span>
            </p>
            {problems.map((problem) => (
              <p key={problem} class="bad-text">
                {visibleText(problem)}
              </p>
            ))}
            <ul class="plain-list">
              {projects.map(({ dir, agents, running, waiting, open, dead }) => (
                <li key={dir}>
                  <button type="button" class="link" onClick={() => onProject(dir)}>
                    {visibleText(dir)}
                  </button>{" "}
                  <span class="dim">
                    {countOf(agents, "agent")}, {countOf(running, "run")} at work, {waiting} waiting,{" "}
                    {countOf(open, "message")} not answered, {countOf(dead, "dead letter")}
                  </span>
                </li>
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </Section>
  );
}
