import { useMemo } from "preact/hooks";
import type { WaitingRun } from "../../../src/contract/runs.ts";
import type { UnreadView } from "../../../src/contract/reading/unread.ts";
import type { WorkspaceView } from "../../../src/contract/workspaces.ts";
import { Avatar, Badge, Link } from "../parts/elements.tsx";
import { Icon } from "../parts/icon.tsx";
import { NotificationSwitch } from "../parts/notification-switch.tsx";
import { ThemeButton } from "../parts/theme-button.tsx";
import { VirtualRows } from "../parts/team/virtual-rows.tsx";
import { useQuery, useTeam } from "../state/page-context.ts";
import type { Route } from "../state/route.ts";
import { ACTIVITY_CLASSES, activityOf, countWaiting, type RunActivity } from "../state/run-activity.ts";
import { countBroken } from "../state/broken-definitions.ts";
import { projectName } from "../text/project-name.ts";
import { waitText } from "../text/wait-text.ts";

/** The navigation: project, decisions, channels and their unread messages. */
export interface SidebarProps {
  readonly route: Route;
  /** Undefined while it is not known. */
  readonly awaiting: number | undefined;
  readonly project: string;
  readonly onProject: (dir: string) => void;
  readonly onSwitch: () => void;
  readonly onSignOut: () => void;
}

export function Sidebar({ route, awaiting, project, onProject, onSwitch, onSignOut }: SidebarProps) {
  const workspaces = useTeam((state) => state.workspaces);
  const broken = useTeam(({ problems }) => countBroken(problems));
  const waiting = useTeam(({ runs, blocked }) => countWaiting(runs, blocked));
  const open = workspaces.filter(({ state }) => state === "open");
  const closed = workspaces.filter(({ state }) => state === "closed");
  return (
    <nav class="sidebar scrolls" aria-label="Team">
      <Projects project={project} onProject={onProject} />
      <button type="button" class="switch" onClick={onSwitch}>
        <span>
          <Icon name="search" /> Search…
        </span>{" "}
        <kbd>Ctrl K</kbd>
      </button>
      <ul class="places">
        <li>
          <Link to={{ view: "overview" }} current={route.view === "overview"}>
            <Icon name="overview" /> Overview{" "}
            {broken === 0 ? null : (
              <Badge kind="bad">
                {broken} broken
                <span class="unseen"> {broken === 1 ? "definition" : "definitions"}</span>
              </Badge>
            )}{" "}
            {waiting === 0 ? null : (
              <Badge kind="warn">
                {waiting} waiting
                <span class="unseen"> {waiting === 1 ? "run" : "runs"}</span>
              </Badge>
            )}
          </Link>
        </li>
        <li>
          <Link to={{ view: "decisions" }} current={route.view === "decisions"}>
            <Icon name="decisions" /> Decisions{" "}
            {awaiting === undefined || awaiting === 0 ? null : (
              <Badge kind="press">
                {awaiting}
                <span class="unseen"> waiting for you</span>
              </Badge>
            )}
          </Link>
        </li>
        <li class="places-gap">
          <Link
            to={{ view: "runs", target: undefined }}
            current={route.view === "run" || (route.view === "runs" && route.target === undefined)}
          >
            <Icon name="runs" /> Runs
          </Link>
        </li>
        <li>
          <Link
            to={{ view: "team", target: undefined }}
            current={(route.view === "team" && route.target === undefined) || route.view === "chain"}
          >
            <Icon name="team" /> Team
          </Link>
        </li>
        <li>
          <Link to={{ view: "usage" }} current={route.view === "usage"}>
            <Icon name="usage" /> Usage
          </Link>
        </li>
        <li class="places-gap">
          <Link to={{ view: "files", file: undefined }} current={route.view === "files"}>
            <Icon name="files" /> Files
          </Link>
        </li>
        <li>
          <Link to={{ view: "schedules" }} current={route.view === "schedules"}>
            <Icon name="schedules" /> Schedules
          </Link>
        </li>
        <li>
          <Link to={{ view: "setup" }} current={route.view === "setup"}>
            <Icon name="setup" /> Setup
          </Link>
        </li>
      </ul>
      <h2>Workspaces</h2>
      <Workspaces workspaces={open} route={route} />
      {closed.length === 0 ? null : (
        <details>
          <summary>Closed ({closed.length})</summary>
          <Workspaces workspaces={closed} route={route} />
        </details>
      )}
      <h2>Agents</h2>
      <Agents route={route} />
      <footer>
        <ThemeButton />
        <NotificationSwitch />
        <button type="button" class="link dim" onClick={onSignOut}>
          Sign out
        </button>
      </footer>
    </nav>
  );
}

function Projects({ project, onProject }: Pick<SidebarProps, "project" | "onProject">) {
  const health = useQuery("projects", (daemon) => daemon.health(), ["workspaces"]);
  const open = health?.ok === true ? health.value.projects.map(({ dir }) => dir) : [];
  const dirs = open.includes(project) ? open : [project, ...open];
  return (
    <label class="project">
      <span class="unseen">Project</span>
      <select value={project} onChange={(event) => onProject(event.currentTarget.value)}>
        {dirs.map((dir) => (
          <option key={dir} value={dir}>
            {projectName(dir)}
          </option>
        ))}
      </select>
    </label>
  );
}

function isCurrent(route: Route, space: string): boolean {
  if (route.view === "channel" || route.view === "documents") return route.space === space;
  if (route.view === "runs" || route.view === "team") return route.target === space;
  if (route.view === "related" || route.view === "rules") return route.space === space;
  return route.view === "agent" && route.agent === space;
}

function Workspaces({ workspaces, route }: { readonly workspaces: readonly WorkspaceView[]; readonly route: Route }) {
  const activity = useActivity();
  if (workspaces.length === 0) return <p class="nothing">None is open.</p>;
  return (
    <VirtualRows
      class="places"
      items={workspaces}
      keyOf={({ space }) => space}
      current={workspaces.findIndex(({ space }) => isCurrent(route, space))}
    >
      {({ space, name }) => (
        <Link to={{ view: "channel", space }} current={isCurrent(route, space)}>
          <span class="place-name">
            <span class="dim">@</span>
            {name}
          </span>
          <Marks space={space} activity={activity} />
        </Link>
      )}
    </VirtualRows>
  );
}

function Agents({ route }: { readonly route: Route }) {
  const agents = useTeam((state) => state.agents);
  const activity = useActivity();
  if (agents.length === 0) {
    return (
      <p class="nothing">
        There are none. <Link to={{ view: "setup" }}>Make a team</Link>
      </p>
    );
  }
  return (
    <VirtualRows
      class="places"
      items={agents}
      keyOf={({ name }) => name}
      current={agents.findIndex(({ name }) => isCurrent(route, name))}
    >
      {({ name }) => (
        <Link to={{ view: "channel", space: name }} current={isCurrent(route, name)}>
          <Avatar name={name} />
          <span class="place-name">{name}</span>
          <Marks space={name} activity={activity} />
        </Link>
      )}
    </VirtualRows>
  );
}

/** What happens in a space, and its unread messages. Computed once for all, because a team may be large. */
interface Activity {
  /** What the busiest of its runs does. */
  of(space: string): RunActivity | undefined;
  /** For what one of its runs waits. */
  wait(space: string): WaitingRun | undefined;
  unread(space: string): UnreadView | undefined;
}

function useActivity(): Activity {
  const unread = useTeam((state) => state.unread);
  const runs = useTeam((state) => state.runs);
  const blocked = useTeam((state) => state.blocked);
  const waits = useTeam((state) => state.waits);
  const bySpace = useMemo(() => {
    const found = new Map<string, RunActivity>();
    for (const shown of ["parked", "waiting for you", "at work"] as const) {
      const those = runs.filter((run) => activityOf(run, blocked) === shown);
      for (const place of those.flatMap(({ agent, space }) => [agent, space])) found.set(place, shown);
    }
    return found;
  }, [runs, blocked]);
  return {
    of: (space) => bySpace.get(space),
    wait: (place) => waits.find(({ agent, space }) => agent === place || space === place),
    unread: (space) => unread.get(space),
  };
}

function Marks({ space, activity }: { readonly space: string; readonly activity: Activity }) {
  const { messages: unread = 0, mentions = 0 } = activity.unread(space) ?? {};
  const doing = activity.of(space);
  const wait = doing === undefined || doing === "at work" ? undefined : activity.wait(space);
  const title = wait === undefined ? doing : waitText(wait);
  return (
    <>
      {doing === undefined ? null : (
        <span class={`state ${ACTIVITY_CLASSES[doing]}`} title={title}>
          <span class="unseen">{title}</span>
        </span>
      )}
      {unread === 0 ? null : (
        <Badge kind={mentions === 0 ? "" : "press"}>
          {mentions === 0 ? "" : "@ "}
          {unread > 99 ? "99+" : unread}
          <span class="unseen"> new{mentions === 0 ? "" : `, ${mentions} for you`}</span>
        </Badge>
      )}
    </>
  );
}
