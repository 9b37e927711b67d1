import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { openDaemon, type DaemonError } from "../connection/daemon.ts";
import { ErrorBox, Loading } from "../parts/elements.tsx";
import { Notices } from "../parts/notices.tsx";
import { useKeys } from "../parts/use-keys.ts";
import { addNotice, withoutFailures, type Notice } from "../state/notices.ts";
import { pageContext, type PageContext, useQuery, useTeam } from "../state/page-context.ts";
import { unsavedEditsOf } from "../state/unsaved-edits.ts";
import { changeNotifications } from "../state/reading/notifications.ts";
import type { QuickItem } from "../state/reading/quick-options.ts";
import { useNotifications } from "../state/reading/use-notifications.ts";
import { useProjectHistory } from "../state/project-history.ts";
import { hrefOf, parseRoute, type Route } from "../state/route.ts";
import { openTeam } from "../state/team.ts";
import { unsentMessagesOf } from "../state/unsent-messages.ts";
import { loadDecisions, type WaitingDecisions } from "../state/waiting-decisions.ts";
import { withoutCommands, withoutIds } from "../text/notice-text.ts";
import { projectName } from "../text/project-name.ts";
import { Agent } from "./agent.tsx";
import { Channel } from "./channel.tsx";
import { Decisions } from "./decisions.tsx";
import { Documents } from "./documents/documents.tsx";
import { Files } from "./files/files.tsx";
import { Overview } from "./overview.tsx";
import { QuickSwitch } from "./quick-switch.tsx";
import { Rules } from "./rules.tsx";
import { Run } from "./run.tsx";
import { Runs } from "./runs.tsx";
import { Schedules } from "./schedules.tsx";
import { Setup } from "./setup/setup.tsx";
import { Sidebar } from "./sidebar.tsx";
import { TeamView } from "./activity/team.tsx";
import { RelatedMessages } from "./reading/related-messages.tsx";
import { UsageView } from "./activity/usage.tsx";
import { TrustBanner } from "./trust-banner.tsx";

/** The page after the sign-in. */
export interface TeamPageProps {
  /** Id of the browser's session: another one needs new connections. */
  readonly session: string;
  readonly project: string | undefined;
  readonly onProject: (dir: string) => void;
  readonly onSignOut: (reason?: string) => void;
}

const UNKNOWN_BROWSER = "The daemon does not know this browser any more.";

/**
 * Shows one project. Its page is a component of its own for each project, so that nothing of one project is ever shown,
 * or sent, under the name of another.
 */
export function TeamPage({ project, ...rest }: TeamPageProps) {
  if (project === undefined) return <FirstProject {...rest} />;
  return <ProjectPage key={project} project={project} {...rest} />;
}

/** Selects the first open project when the address named none: every request must say which project it is for. */
function FirstProject({ session, onProject, onSignOut }: Omit<TeamPageProps, "project">) {
  const [error, setError] = useState<DaemonError>();
  useEffect(() => {
    const onRefusedSession = (): void => onSignOut(UNKNOWN_BROWSER);
    const select = async (): Promise<void> => {
      const health = await openDaemon({ host: location.host, project: undefined, onRefusedSession }).health();
      const first = health.ok ? health.value.projects[0] : undefined;
      if (first !== undefined) onProject(first.dir);
      else setError(health.ok ? NO_PROJECT : health.error);
    };
    void select();
  }, [session]);
  return error === undefined ? <Loading /> : <ErrorBox error={error} />;
}

const NO_PROJECT: DaemonError = {
  code: "not_found",
  message: "The daemon has no project open.",
  hint: "In the folder of a project: agent-worker ui",
};

type ProjectPageProps = TeamPageProps & { readonly project: string };

function ProjectPage({ session, project, onProject, onSignOut }: ProjectPageProps) {
  const [notices, setNotices] = useState<readonly Notice[]>([]);
  const lastNotice = useRef(0);
  const notify = useCallback((text: string, kind: Notice["kind"] = "good") => {
    lastNotice.current += 1;
    // A hint may name a command of the terminal; here the person has buttons.
    const shown = kind === "bad" ? withoutCommands(text) : text;
    const notice = {
      id: lastNotice.current,
      text: withoutIds(shown === "" ? text : shown),
      kind,
      at: performance.now(),
    };
    setNotices((current) => addNotice(current, notice));
  }, []);
  useEffect(() => {
    const onLeft = (): void => setNotices(withoutFailures);
    addEventListener("hashchange", onLeft);
    return () => removeEventListener("hashchange", onLeft);
  }, []);
  const parts = useMemo(() => {
    const onRefusedSession = (): void => onSignOut(UNKNOWN_BROWSER);
    const daemon = openDaemon({ host: location.host, project, onRefusedSession });
    return { daemon, team: openTeam(daemon) };
  }, [session, project]);
  useEffect(() => () => parts.team.close(), [parts]);
  const selectProject = useProjectHistory(project, onProject);
  const isShown = useRef(true);
  useEffect(() => () => void (isShown.current = false), []);
  const goTo = useCallback((route: Route) => {
    if (isShown.current) location.hash = hrefOf(route);
  }, []);
  const page: PageContext = useMemo(
    () => ({ ...parts, unsent: unsentMessagesOf(project), edits: unsavedEditsOf(project), goTo, notify }),
    [parts, project, goTo, notify],
  );
  const signOut = (): void => {
    void parts.daemon.signOut().then(() => onSignOut());
  };
  return (
    <pageContext.Provider value={page}>
      <Frame
        project={project}
        notices={
          <Notices
            notices={notices}
            onClose={(id) => setNotices((current) => current.filter((each) => each.id !== id))}
          />
        }
        onProject={selectProject}
        onSignOut={signOut}
      />
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

const allKnown = ({ unknown }: WaitingDecisions): boolean => unknown.size === 0;

const DECISION_TOPICS = ["ballots", "approvals", "dead", "suggestions", "souls", "questions", "workspaces"] as const;

/** Returns the last value that was known. A failed request says nothing, so it takes back nothing. */
function useLastKnown<T>(value: T | undefined): T | undefined {
  const last = useRef(value);
  if (value !== undefined) last.current = value;
  return last.current;
}

function Frame({
  project,
  notices,
  onProject,
  onSignOut,
}: Pick<ProjectPageProps, "project" | "onProject"> & {
  readonly notices: ComponentChildren;
  readonly onSignOut: () => void;
}) {
  const route = useRoute();
  const [switching, setSwitching] = useState(false);
  const [menu, setMenu] = useState(false);
  const main = useRef<HTMLElement>(null);
  const waiting = useQuery("decisions", loadDecisions, DECISION_TOPICS, allKnown);
  const awaiting = useLastKnown(waiting?.awaiting);
  useNotifications(awaiting);
  const commands: readonly QuickItem[] = [
    { key: "start", kind: "command", label: "Start a workflow", route: { view: "overview" } },
    { key: "vote", kind: "command", label: "Ask a team to decide", route: { view: "decisions" } },
    { key: "notify", kind: "command", label: "Change notifications", run: () => void changeNotifications() },
    { key: "sign-out", kind: "command", label: "Sign out", run: onSignOut },
  ];
  useKeys(() => setSwitching(true));
  useEffect(() => setMenu(false), [route]);
  useEffect(() => {
    document.title = `${awaiting === undefined || awaiting === 0 ? "" : `(${awaiting}) `}${titleOf(route)} - ${projectName(project)} - agent-worker`;
  }, [route, awaiting, project]);
  return (
    <div class={`frame ${menu ? "menu-open" : ""}`}>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <button type="button" class="menu-button" aria-expanded={menu} onClick={() => setMenu(!menu)}>
        <span aria-hidden="true">☰</span> Menu{" "}
        {awaiting === undefined || awaiting === 0 ? null : <span class="badge press">{awaiting}</span>}
      </button>
      {awaiting === undefined || awaiting === 0 ? null : (
        <nav class="decide-now" aria-label="What waits for you">
          <a href={hrefOf({ view: "decisions" })}>{awaiting} to decide</a>
        </nav>
      )}
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
        <TrustBanner />
        <View route={route} waiting={waiting} awaiting={awaiting} onProject={onProject} />
        {notices}
      </main>
      {switching ? <QuickSwitch commands={commands} onClose={() => setSwitching(false)} /> : null}
    </div>
  );
}

function View({
  route,
  waiting,
  awaiting,
  onProject,
}: {
  readonly route: Route;
  readonly awaiting: number | undefined;
  readonly waiting: Parameters<typeof Decisions>[0]["waiting"];
  readonly onProject: (dir: string) => void;
}) {
  switch (route.view) {
    case "overview":
      return <Overview onProject={onProject} awaiting={awaiting} />;
    case "decisions":
      return <Decisions waiting={waiting} />;
    case "channel":
      return <Channel space={route.space} named={route.message} waiting={waiting} />;
    case "documents":
      return <Documents space={route.space} file={route.file} />;
    case "rules":
      return <Rules space={route.space} />;
    case "agent":
      return <Agent key={route.agent} agent={route.agent} />;
    case "files":
      return <Files file={route.file} />;
    case "schedules":
      return <Schedules />;
    case "setup":
      return <Setup onProject={onProject} />;
    case "runs":
      return <Runs key={route.target ?? ""} target={route.target} />;
    case "run":
      return <Run key={route.run} run={route.run} step={route.step} />;
    case "related":
      return <RelatedMessages key={`${route.space} ${route.message}`} space={route.space} message={route.message} />;
    case "team":
      return <TeamView key={route.target ?? ""} target={route.target} chain={undefined} />;
    case "chain":
      return <TeamView key={route.id} target={undefined} chain={route.id} />;
    case "usage":
      return <UsageView />;
  }
}

function titleOf(route: Route): string {
  switch (route.view) {
    case "channel":
    case "documents":
    case "rules":
    case "related":
      return route.space;
    case "chain":
      return "Chain";
    case "agent":
      return route.agent;
    case "run":
      return "Run";
    default:
      return route.view.charAt(0).toUpperCase() + route.view.slice(1);
  }
}

/** A daemon that is started again at the same address is back by then. */
const LONG_LOST_MS = 15_000;

/** Shown only while the connection is lost, when the page may be outdated. */
function Connection() {
  const connection = useTeam((state) => state.connection);
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    setLong(false);
    if (connection !== "lost") return undefined;
    const timer = setTimeout(() => setLong(true), LONG_LOST_MS);
    return () => clearTimeout(timer);
  }, [connection]);
  return (
    <div role="status">
      {connection === "lost" ? (
        <p class="connection">
          Disconnected from the daemon. Trying again; what you see may be old.
          {isLong ? (
            <>
              {" "}
              If it runs again, its address may be another one: open the page again with <code>agent-worker ui</code>.
            </>
          ) : null}
        </p>
      ) : null}
    </div>
  );
}
