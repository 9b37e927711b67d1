import { useState } from "preact/hooks";
import { useOperation, usePage, useTeam } from "../state/page-context.ts";
import { ACTIVITY_CLASSES, activityOf } from "../state/run-activity.ts";
import { spaceName, workspaceOf } from "../text/space-name.ts";
import { ConfirmButton } from "./confirm-button.tsx";
import { Link, Name, SpaceLink } from "./elements.tsx";
import { InstanceChoice } from "./instance-choice.tsx";
import { WorktreeLines } from "./worktree-lines.tsx";

/** The header of all views of one space: its name, its members and its other views. */
export function SpaceHeader({
  space,
  view,
}: {
  readonly space: string;
  readonly view: "channel" | "documents" | "rules" | "runs" | "team" | "agent";
}) {
  const isWorkspace = space.startsWith("@");
  const hasFile = useTeam(({ agents }) => agents.some(({ name, source }) => name === space && source === "file"));
  return (
    <header class="view-header">
      <h1>{spaceName(space)}</h1>
      <nav class="tabs" aria-label={`Views of ${space}`}>
        <Link to={{ view: "channel", space }} current={view === "channel"}>
          {isWorkspace ? "Channel" : "Messages"}
        </Link>
        {isWorkspace ? (
          <Link to={{ view: "documents", space, file: undefined }} current={view === "documents"}>
            Documents
          </Link>
        ) : (
          <Link to={{ view: "agent", agent: space }} current={view === "agent"}>
            About
          </Link>
        )}
        {isWorkspace || !hasFile ? null : <Link to={{ view: "files", file: `.agents/${space}.yaml` }}>Edit</Link>}
        <Link to={{ view: "runs", target: space }} current={view === "runs"}>
          Runs
        </Link>
        <Link to={{ view: "team", target: space }} current={view === "team"}>
          Timeline
        </Link>
        {isWorkspace ? (
          <Link to={{ view: "rules", space }} current={view === "rules"}>
            Rules
          </Link>
        ) : null}
      </nav>
      {isWorkspace && view === "channel" ? (
        <InstanceChoice space={space} routeOf={(chosen) => ({ view, space: chosen })} />
      ) : null}
      {isWorkspace && view === "documents" ? (
        <InstanceChoice space={space} routeOf={(chosen) => ({ view, space: chosen, file: undefined })} />
      ) : null}
      {isWorkspace && view === "channel" ? <Members space={space} /> : null}
      {isWorkspace && view === "channel" ? <SubSpaces space={space} /> : null}
      {view === "channel" ? <WorktreeLines space={space} /> : null}
    </header>
  );
}

/** The sub-spaces of a workspace; in a sub-space, the way back. */
function SubSpaces({ space }: { readonly space: string }) {
  const shown = useOperation("show-workspace", { target: space }, ["workspaces"]);
  const back = workspaceOf(space);
  if (back !== space) {
    return (
      <p class="dim">
        A space of <SpaceLink space={back} />
      </p>
    );
  }
  if (shown?.ok !== true || shown.value.spaces.length === 0) return null;
  return (
    <p aria-label="Spaces">
      {shown.value.spaces.map((each) => (
        <SpaceLink key={each.space} space={each.space} class={each.state === "open" ? "chip" : "chip dim"} />
      ))}
    </p>
  );
}

/** So many fit in the header. Those at work come first; the others are one click away. */
const MOST_MEMBERS = 10;

function Members({ space }: { readonly space: string }) {
  const { daemon, notify } = usePage();
  const shown = useOperation("show-workspace", { target: space }, ["workspaces", "runs"]);
  const runs = useTeam((state) => state.runs);
  const blocked = useTeam((state) => state.blocked);
  const [all, setAll] = useState(false);
  if (shown?.ok !== true) return null;
  const { members, state } = shown.value;
  const busy = new Set(runs.filter((run) => run.space === space).map(({ agent }) => agent));
  const shownMembers = all
    ? members
    : members.toSorted((a, b) => Number(busy.has(b.agent)) - Number(busy.has(a.agent))).slice(0, MOST_MEMBERS);
  const stop = async (): Promise<void> => {
    const closed = await daemon.call("close-workspace", { target: space });
    notify(closed.ok ? `${spaceName(space)} is closed.` : closed.error.message, closed.ok ? "good" : "bad");
  };
  return (
    <div class="members">
      <ul aria-label="Who takes part">
        {shownMembers.map(({ agent, source, role, task, waiting }) => {
          const run = runs.find((each) => each.agent === agent && each.space === space);
          const activity = run === undefined ? undefined : activityOf(run, blocked);
          return (
            <li key={agent} title={[role, task].filter(Boolean).join(": ")}>
              <Link to={{ view: "agent", agent: source === "project" ? agent : `${agent}${space}` }}>
                <span class={`state ${activity === undefined ? "" : ACTIVITY_CLASSES[activity]}`} aria-hidden="true" />
                <Name name={agent} />
                <span class="unseen">{activity ?? "idle"}</span>
                {waiting === 0 ? null : <span class="dim"> {waiting} to answer</span>}
              </Link>
            </li>
          );
        })}
        {members.length > shownMembers.length || all ? (
          <li>
            <button type="button" class="link dim" aria-expanded={all} onClick={() => setAll(!all)}>
              {all ? "fewer" : `and ${members.length - shownMembers.length} more`}
            </button>
          </li>
        ) : null}
      </ul>
      {state === "open" ? <ConfirmButton label="Stop" onConfirm={() => void stop()} /> : null}
    </div>
  );
}
