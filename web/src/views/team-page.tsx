import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { openDaemon } from "../connection/daemon.ts";
import { useKeys } from "../parts/use-keys.ts";
import { pageContext, type PageContext, useQuery, useTeam } from "../state/page-context.ts";
import { parseRoute, type Route } from "../state/route.ts";
import { openTeam } from "../state/team.ts";
import { loadDecisions, countAwaitingPerson } from "../state/waiting-decisions.ts";
import { Agent } from "./agent.tsx";
import { Channel } from "./channel.tsx";
import { Decisions } from "./decisions.tsx";
import { Documents } from "./documents.tsx";
import { Overview } from "./overview.tsx";
import { QuickSwitch } from "./quick-switch.tsx";
import { Rules } from "./rules.tsx";
import { Run } from "./run.tsx";
import { Runs } from "./runs.tsx";
import { Sidebar } from "./sidebar.tsx";

/** The page of one project, after the sign-in. */
export interface TeamPageProps {
  /** Id of the browser's session: another one needs new connections. */
  readonly session: string;
  readonly project: string | undefined;
  readonly onProject: (dir: string) => void;
  readonly onSignOut: (reason?: string) => void;
}

interface Notice {
  readonly text: string;
  readonly kind: "good" | "bad";
}

const NOTICE_MS = 8_000;

export function TeamPage({ session, project, onProject, onSignOut }: TeamPageProps) {
  const [notice, setNotice] = useState<Notice>();
  const notify = useCallback((text: string, kind: Notice["kind"] = "good") => setNotice({ text, kind }), []);
  const parts = useMemo(() => {
    const onRefusedSession = (): void => onSignOut("The daemon does not know this browser any more.");
    const daemon = openDaemon({ host: location.host, project, onRefusedSession });
    return { daemon, team: openTeam(daemon) };
  }, [session, project]);
  useEffect(() => () => parts.team.close(), [parts]);
  useEffect(() => {
    const timer = setTimeout(() => setNotice(undefined), NOTICE_MS);
    return () => clearTimeout(timer);
  }, [notice]);
  const page: PageContext = useMemo(() => ({ ...parts, notify }), [parts, notify]);
  const signOut = (): void => {
    void parts.daemon.signOut().then(() => onSignOut());
  };
  return (
    <pageContext.Provider value={page}>
      <Frame project={project} onProject={onProject} onSignOut={signOut} />
      <div class="notice-place" role="status" aria-live="polite">
        {notice === undefined ? null : <p class={`notice ${notice.kind}`}>{notice.text}</p>}
      </div>
    </pageContext.Provider>
  );
}

function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const onChange = (): void => setRoute(parseRoute(location.hash));
    addEventListener("hashchange", onChange);
    return () => removeEventListener("hashchange", onChange);
  }, []);
  return route;
}

function Frame({
  project,
  onProject,
  onSignOut,
}: Pick<TeamPageProps, "project" | "onProject"> & { readonly onSignOut: () => void }) {
  const route = useRoute();
  const [switching, setSwitching] = useState(false);
  const [menu, setMenu] = useState(false);
  const main = useRef<HTMLElement>(null);
  const workspaces = useTeam((state) => state.workspaces);
  const open = workspaces.filter(({ state }) => state === "open").map(({ space }) => space);
  const waiting = useQuery(`decisions ${open.join(" ")}`, (daemon) => loadDecisions(daemon, open), [
    "ballots",
    "approvals",
    "dead",
    "suggestions",
    "souls",
    "workspaces",
  ]);
  const awaiting = waiting === undefined ? 0 : countAwaitingPerson(waiting);
  const last = useRef(waiting);
  last.current = waiting ?? last.current;
  useKeys(() => setSwitching(true));
  useEffect(() => setMenu(false), [route]);
  useEffect(() => {
    document.title = `${awaiting === 0 ? "" : `(${awaiting}) `}${titleOf(route)} - agent-worker`;
  }, [route, awaiting]);
  return (
    <div class={`frame ${menu ? "menu-open" : ""}`}>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <button type="button" class="menu-button" aria-expanded={menu} onClick={() => setMenu(!menu)}>
        <span aria-hidden="true">☰</span> Menu {awaiting === 0 ? null : <span class="badge press">{awaiting}</span>}
      </button>
      <Sidebar
        route={route}
        awaiting={awaiting}
        project={project}
        onProject={onProject}
        onSwitch={() => setSwitching(true)}
        onSignOut={onSignOut}
      />
      <main ref={main} tabIndex={-1}>
        <Connection />
        <View route={route} waiting={last.current} onProject={onProject} />
      </main>
      {switching ? <QuickSwitch onClose={() => setSwitching(false)} /> : null}
    </div>
  );
}

function View({
  route,
  waiting,
  onProject,
}: {
  readonly route: Route;
  readonly waiting: Parameters<typeof Decisions>[0]["waiting"];
  readonly onProject: (dir: string) => void;
}) {
  switch (route.view) {
    case "overview":
      return <Overview onProject={onProject} />;
    case "decisions":
      return <Decisions waiting={waiting} />;
    case "channel":
      return <Channel space={route.space} />;
    case "documents":
      return <Documents space={route.space} file={route.file} />;
    case "rules":
      return <Rules space={route.space} />;
    case "agent":
      return <Agent key={route.agent} agent={route.agent} />;
    case "runs":
      return <Runs target={route.target} />;
    case "run":
      return <Run key={route.run} run={route.run} />;
  }
}

function titleOf(route: Route): string {
  switch (route.view) {
    case "channel":
    case "documents":
    case "rules":
      return route.space;
    case "agent":
      return route.agent;
    case "run":
      return "Run";
    default:
      return route.view.charAt(0).toUpperCase() + route.view.slice(1);
  }
}

/** Shown only while the connection is lost, when the page may be outdated. */
function Connection() {
  const connection = useTeam((state) => state.connection);
  return (
    <div role="status">
      {connection === "lost" ? (
        <p class="connection">Disconnected from the daemon. Trying again; what you see may be old.</p>
      ) : null}
    </div>
  );
}
