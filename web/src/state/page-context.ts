import { createContext } from "preact";
import { useContext, useEffect, useRef, useState } from "preact/hooks";
import type { OperationInput, OperationName, OperationOutput } from "../../../src/contract/operations.ts";
import type { DaemonResult, Daemon } from "../connection/daemon.ts";
import type { UnsavedEdits } from "./unsaved-edits.ts";
import { createRefresher, type Refresher } from "./refresher.ts";
import type { Route } from "./route.ts";
import type { Team, TeamState } from "./team.ts";
import type { Topic } from "./topic.ts";
import type { UnsentMessages } from "./unsent-messages.ts";

/** What every component can use after the sign-in. All of it belongs to one project and ends with its page. */
export interface PageContext {
  readonly daemon: Daemon;
  readonly team: Team;
  readonly unsent: UnsentMessages;
  readonly edits: UnsavedEdits;
  /** Opens a view after an answer of the daemon, unless another project is shown by then. */
  readonly goTo: (route: Route) => void;
  /** Shows a notice about the result of an action. */
  readonly notify: (text: string, kind?: "good" | "bad") => void;
}

export const pageContext = createContext<PageContext | undefined>(undefined);

export function usePage(): PageContext {
  const page = useContext(pageContext);
  if (page === undefined) throw new Error("There is no page around this.");
  return page;
}

/** Returns the selected part of the team's state. The component renders again when that part changes. */
export function useTeam<T>(select: (state: TeamState) => T): T {
  const { team } = usePage();
  const [, render] = useState(0);
  const value = select(team.state());
  const last = useRef({ select, value });
  last.current = { select, value };
  useEffect(() => {
    const check = (): void => {
      if (last.current.select(team.state()) !== last.current.value) render((count) => count + 1);
    };
    check();
    return team.subscribe(check);
  }, [team]);
  return value;
}

const MIN_INTERVAL_MS = 250;

/**
 * Returns the last result of `load`, undefined before the first. It is loaded again after events about its topics, and
 * after a while when it is not complete. A different `key` is a different query.
 */
export function useQuery<T>(
  key: string,
  load: (daemon: Daemon) => Promise<T>,
  topics: readonly Topic[],
  isComplete: (value: T) => boolean = () => true,
): T | undefined {
  const { daemon } = usePage();
  const version = useTeam(({ versions }) => topics.reduce((sum, topic) => sum + (versions[topic] ?? 0), 0));
  const [loaded, setLoaded] = useState<{ readonly key: string; readonly value: T }>();
  const latest = useRef(load);
  latest.current = load;
  const refresher = useRef<Refresher>(undefined);
  useEffect(() => {
    let active = true;
    const created = createRefresher(async () => {
      const value = await latest.current(daemon);
      if (active) setLoaded({ key, value });
      return isComplete(value) ? "complete" : "incomplete";
    }, MIN_INTERVAL_MS);
    refresher.current = created;
    created.refresh();
    return () => {
      active = false;
      created.stop();
    };
  }, [daemon, key]);
  useEffect(() => {
    if (version > 0) refresher.current?.refresh();
  }, [version]);
  return loaded?.key === key ? loaded.value : undefined;
}

export function useOperation<Name extends OperationName>(
  operation: Name,
  input: OperationInput<Name>,
  topics: readonly Topic[] = [],
): DaemonResult<OperationOutput<Name>> | undefined {
  return useQuery(JSON.stringify([operation, input]), (daemon) => daemon.call(operation, input), topics, isReached);
}

/** A refusal is an answer; that the daemon could not be reached is none. */
function isReached<T>(result: DaemonResult<T>): boolean {
  return result.ok || result.error.code !== "unavailable";
}
