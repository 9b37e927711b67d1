import { usePage, useAsked, useTeam } from "../state/page-context.ts";
import { spaceName } from "../text/space-name.ts";
import { Go, Name, SureButton } from "./parts.tsx";

/** The head of everything that is about one space: what it is called, who is in it, and the other views of it. */
export function SpaceHeader({
  space,
  view,
}: {
  readonly space: string;
  readonly view: "channel" | "documents" | "rules" | "runs" | "agent";
}) {
  const isWorkspace = space.startsWith("@");
  return (
    <header class="view-header">
      <h1>{spaceName(space)}</h1>
      <nav class="tabs" aria-label={`Views of ${space}`}>
        <Go to={{ view: "channel", space }} current={view === "channel"}>
          {isWorkspace ? "Channel" : "Messages"}
        </Go>
        {isWorkspace ? (
          <Go to={{ view: "documents", space, file: undefined }} current={view === "documents"}>
            Documents
          </Go>
        ) : (
          <Go to={{ view: "agent", agent: space }} current={view === "agent"}>
            About
          </Go>
        )}
        <Go to={{ view: "runs", target: space }} current={view === "runs"}>
          Runs
        </Go>
        {isWorkspace ? (
          <Go to={{ view: "rules", space }} current={view === "rules"}>
            Rules
          </Go>
        ) : null}
      </nav>
      {isWorkspace && view === "channel" ? <Members space={space} /> : null}
    </header>
  );
}

function Members({ space }: { readonly space: string }) {
  const { daemon, tell } = usePage();
  const shown = useAsked("show-workspace", { target: space }, ["workspaces", "runs"]);
  const runs = useTeam((state) => state.runs);
  if (shown?.ok !== true) return null;
  const { members, state } = shown.value;
  const stop = async (): Promise<void> => {
    const closed = await daemon.ask("close-workspace", { target: space });
    tell(closed.ok ? `${spaceName(space)} is closed.` : closed.error.message, closed.ok ? "good" : "bad");
  };
  return (
    <div class="members">
      <ul aria-label="Who takes part">
        {members.map(({ agent, source, role, task, waiting }) => {
          const run = runs.find((each) => each.agent === agent && each.space === space);
          const doing = run === undefined ? "idle" : run.state === "open" ? "working" : run.state;
          return (
            <li key={agent} title={[role, task].filter(Boolean).join(": ")}>
              <Go to={{ view: "agent", agent: source === "project" ? agent : `${agent}${space}` }}>
                <span class={`state ${doing}`} aria-hidden="true" />
                <Name name={agent} />
                <span class="unseen">{doing}</span>
                {waiting === 0 ? null : <span class="dim"> {waiting} waiting</span>}
              </Go>
            </li>
          );
        })}
      </ul>
      {state === "open" ? <SureButton label="Stop" onSure={() => void stop()} /> : null}
    </div>
  );
}
