import { useMemo } from "preact/hooks";
import type { WorkspaceView } from "../../../src/contract/workspaces.ts";
import { useAnswer, useTeam } from "../state/page-context.ts";
import type { Place } from "../state/place.ts";
import { hueOf } from "../text/agent-colour.ts";
import { visibleText } from "../text/visible-text.ts";
import { Badge, Go } from "../parts/parts.tsx";
import { ThemeButton } from "../parts/theme-button.tsx";

/** Where one can go: the project, its channels with what is new in them, and what waits for a decision. */
export interface SidebarProps {
  readonly place: Place;
  readonly pressing: number;
  readonly project: string | undefined;
  readonly onProject: (dir: string) => void;
  readonly onSwitch: () => void;
  readonly onLeave: () => void;
}

export function Sidebar({ place, pressing, project, onProject, onSwitch, onLeave }: SidebarProps) {
  const workspaces = useTeam((state) => state.workspaces);
  const open = workspaces.filter(({ state }) => state === "open");
  const closed = workspaces.filter(({ state }) => state === "closed");
  return (
    <nav class="sidebar" aria-label="Team">
      <Projects project={project} onProject={onProject} />
      <button type="button" class="switch" onClick={onSwitch}>
        Go to… <kbd>Ctrl K</kbd>
      </button>
      <ul class="places">
        <li>
          <Go to={{ view: "overview" }} current={place.view === "overview"}>
            Overview
          </Go>
        </li>
        <li>
          <Go to={{ view: "decisions" }} current={place.view === "decisions"}>
            Decisions{" "}
            {pressing === 0 ? null : (
              <Badge kind="press">
                {pressing}
                <span class="unseen"> waiting for you</span>
              </Badge>
            )}
          </Go>
        </li>
        <li>
          <Go
            to={{ view: "runs", target: undefined }}
            current={place.view === "run" || (place.view === "runs" && place.target === undefined)}
          >
            Runs
          </Go>
        </li>
      </ul>
      <h2>Workspaces</h2>
      <Workspaces workspaces={open} place={place} />
      {closed.length === 0 ? null : (
        <details>
          <summary>Closed ({closed.length})</summary>
          <Workspaces workspaces={closed} place={place} />
        </details>
      )}
      <h2>Agents</h2>
      <Agents place={place} />
      <footer>
        <ThemeButton />
        <button type="button" class="link dim" onClick={onLeave}>
          Sign out
        </button>
      </footer>
    </nav>
  );
}

function Projects({ project, onProject }: Pick<SidebarProps, "project" | "onProject">) {
  const health = useAnswer("projects", (daemon) => daemon.health(), ["workspaces"]);
  const known = health?.ok === true ? health.value.projects.map(({ dir }) => dir) : [];
  const dirs = project === undefined || known.includes(project) ? known : [project, ...known];
  return (
    <label class="project">
      <span class="unseen">Project</span>
      <select value={project ?? dirs[0] ?? ""} onChange={(event) => onProject(event.currentTarget.value)}>
        {dirs.map((dir) => (
          <option key={dir} value={dir}>
            {visibleText(dir.split(/[\\/]/).findLast((part) => part !== "") ?? dir)}
          </option>
        ))}
      </select>
    </label>
  );
}

function isCurrent(place: Place, space: string): boolean {
  if (place.view === "channel" || place.view === "documents") return place.space === space;
  if (place.view === "runs") return place.target === space;
  return place.view === "agent" && place.agent === space;
}

function Workspaces({ workspaces, place }: { readonly workspaces: readonly WorkspaceView[]; readonly place: Place }) {
  const news = useNews();
  if (workspaces.length === 0) return <p class="nothing">None is open.</p>;
  return (
    <ul class="places">
      {workspaces.map(({ space, name }) => (
        <li key={space}>
          <Go to={{ view: "channel", space }} current={isCurrent(place, space)}>
            <span class="place-name">
              <span class="dim">@</span>
              {name}
            </span>
            <Marks space={space} news={news} />
          </Go>
        </li>
      ))}
    </ul>
  );
}

function Agents({ place }: { readonly place: Place }) {
  const agents = useTeam((state) => state.agents);
  const news = useNews();
  if (agents.length === 0) return <p class="nothing">There are none.</p>;
  return (
    <ul class="places">
      {agents.map(({ name }) => (
        <li key={name}>
          <Go to={{ view: "channel", space: name }} current={isCurrent(place, name)}>
            <span class={`dot hue-${hueOf(name)}`} aria-hidden="true" />
            <span class="place-name">{name}</span>
            <Marks space={name} news={news} />
          </Go>
        </li>
      ))}
    </ul>
  );
}

/** Whether somebody is at work there, and how much is new. Looked up once for all: a team may be large. */
interface News {
  isBusy(space: string): boolean;
  unread(space: string): number;
}

function useNews(): News {
  const unread = useTeam((state) => state.unread);
  const runs = useTeam((state) => state.runs);
  const busy = useMemo(
    () => new Set(runs.filter(({ state }) => state === "open").flatMap(({ agent, space }) => [agent, space])),
    [runs],
  );
  return { isBusy: (space) => busy.has(space), unread: (space) => unread.get(space) ?? 0 };
}

function Marks({ space, news }: { readonly space: string; readonly news: News }) {
  const unread = news.unread(space);
  return (
    <>
      {news.isBusy(space) ? (
        <span class="state working" title="at work">
          <span class="unseen">at work</span>
        </span>
      ) : null}
      {unread === 0 ? null : (
        <Badge>
          {unread > 99 ? "99+" : unread}
          <span class="unseen"> new</span>
        </Badge>
      )}
    </>
  );
}
