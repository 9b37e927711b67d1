import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { openDaemon } from "../connection/daemon.ts";
import { pageContext, useAnswer, useTeam, type PageContext } from "../state/page-context.ts";
import { placeAt, type Place } from "../state/place.ts";
import { openTeam } from "../state/team.ts";
import { askDecisions, countPressing } from "../state/waiting-decisions.ts";
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
import { useKeys } from "../parts/use-keys.ts";

/** The page of one project, for a browser that was let in. */
export interface TeamPageProps {
  readonly token: string;
  readonly project: string | undefined;
  readonly onProject: (dir: string) => void;
  readonly onLeave: (reason?: string) => void;
}

interface Notice {
  readonly text: string;
  readonly kind: "good" | "bad";
}

const NOTICE_MS = 8_000;

export function TeamPage({ token, project, onProject, onLeave }: TeamPageProps) {
  const [notice, setNotice] = useState<Notice>();
  const tell = useCallback((text: string, kind: Notice["kind"] = "good") => setNotice({ text, kind }), []);
  const parts = useMemo(() => {
    const onRefusedToken = (): void => onLeave("The daemon does not know this browser any more.");
    const daemon = openDaemon({ token, project, onRefusedToken });
    return { daemon, team: openTeam(daemon) };
  }, [token, project]);
  useEffect(() => () => parts.team.close(), [parts]);
  useEffect(() => {
    const timer = setTimeout(() => setNotice(undefined), NOTICE_MS);
    return () => clearTimeout(timer);
  }, [notice]);
  const page: PageContext = useMemo(() => ({ ...parts, tell }), [parts, tell]);
  const leave = (): void => {
    void parts.daemon.leave();
    onLeave();
  };
  return (
    <pageContext.Provider value={page}>
      <Frame project={project} onProject={onProject} onLeave={leave} />
      <div class="notice-place" role="status" aria-live="polite">
        {notice === undefined ? null : <p class={`notice ${notice.kind}`}>{notice.text}</p>}
      </div>
    </pageContext.Provider>
  );
}

function usePlace(): Place {
  const [place, setPlace] = useState(() => placeAt(location.hash));
  useEffect(() => {
    const onChange = (): void => setPlace(placeAt(location.hash));
    addEventListener("hashchange", onChange);
    return () => removeEventListener("hashchange", onChange);
  }, []);
  return place;
}

function Frame({
  project,
  onProject,
  onLeave,
}: Pick<TeamPageProps, "project" | "onProject"> & { readonly onLeave: () => void }) {
  const place = usePlace();
  const [switching, setSwitching] = useState(false);
  const [menu, setMenu] = useState(false);
  const main = useRef<HTMLElement>(null);
  const workspaces = useTeam((state) => state.workspaces);
  const open = workspaces.filter(({ state }) => state === "open").map(({ space }) => space);
  const waiting = useAnswer(`decisions ${open.join(" ")}`, (daemon) => askDecisions(daemon, open), [
    "ballots",
    "approvals",
    "dead",
    "suggestions",
    "souls",
    "workspaces",
  ]);
  const pressing = waiting === undefined ? 0 : countPressing(waiting);
  const last = useRef(waiting);
  last.current = waiting ?? last.current;
  useKeys(() => setSwitching(true));
  useEffect(() => setMenu(false), [place]);
  useEffect(() => {
    document.title = `${pressing === 0 ? "" : `(${pressing}) `}${titleOf(place)} - agent-worker`;
  }, [place, pressing]);
  return (
    <div class={`frame ${menu ? "menu-open" : ""}`}>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <button type="button" class="menu-button" aria-expanded={menu} onClick={() => setMenu(!menu)}>
        <span aria-hidden="true">☰</span> Menu {pressing === 0 ? null : <span class="badge press">{pressing}</span>}
      </button>
      <Sidebar
        place={place}
        pressing={pressing}
        project={project}
        onProject={onProject}
        onSwitch={() => setSwitching(true)}
        onLeave={onLeave}
      />
      <main ref={main} tabIndex={-1}>
        <Connection />
        <View place={place} waiting={last.current} onProject={onProject} />
      </main>
      {switching ? <QuickSwitch onClose={() => setSwitching(false)} /> : null}
    </div>
  );
}

function View({
  place,
  waiting,
  onProject,
}: {
  readonly place: Place;
  readonly waiting: Parameters<typeof Decisions>[0]["waiting"];
  readonly onProject: (dir: string) => void;
}) {
  switch (place.view) {
    case "overview":
      return <Overview onProject={onProject} />;
    case "decisions":
      return <Decisions waiting={waiting} />;
    case "channel":
      return <Channel space={place.space} />;
    case "documents":
      return <Documents space={place.space} file={place.file} />;
    case "rules":
      return <Rules space={place.space} />;
    case "agent":
      return <Agent key={place.agent} agent={place.agent} />;
    case "runs":
      return <Runs target={place.target} />;
    case "run":
      return <Run key={place.run} run={place.run} />;
  }
}

function titleOf(place: Place): string {
  switch (place.view) {
    case "channel":
    case "documents":
    case "rules":
      return place.space;
    case "agent":
      return place.agent;
    case "run":
      return "Run";
    default:
      return place.view.charAt(0).toUpperCase() + place.view.slice(1);
  }
}

/** Said only when something is wrong: what is shown may be old then. */
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
