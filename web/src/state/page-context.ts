import { createContext } from "preact";
import { useContext, useEffect, useRef, useState } from "preact/hooks";
import type { Answer, Daemon } from "../connection/daemon.ts";
import type { OperationInput, OperationName, OperationOutput } from "../../../src/contract/operations.ts";
import { createRefresher, type Refresher } from "./refresher.ts";
import type { Team, TeamState } from "./team.ts";
import type { Topic } from "./topic.ts";

/** What every part of the page works with once the browser is let in. */
export interface PageContext {
  readonly daemon: Daemon;
  readonly team: Team;
  /** Tells the person something that happened to what they asked for. */
  readonly tell: (text: string, kind?: "good" | "bad") => void;
}

export const pageContext = createContext<PageContext | undefined>(undefined);

export function usePage(): PageContext {
  const page = useContext(pageContext);
  if (page === undefined) throw new Error("There is no page around this.");
  return page;
}

/** The part of the team's state that is chosen; drawn again when that part changes. */
export function useTeam<T>(choose: (state: TeamState) => T): T {
  const { team } = usePage();
  const [, draw] = useState(0);
  const chosen = choose(team.state());
  const last = useRef({ choose, chosen });
  last.current = { choose, chosen };
  useEffect(() => {
    const look = (): void => {
      if (last.current.choose(team.state()) !== last.current.chosen) draw((count) => count + 1);
    };
    look();
    return team.subscribe(look);
  }, [team]);
  return chosen;
}

const REST_MS = 250;

/**
 * What a question is answered with, asked again whenever something happens to its topics. The last answer stays until
 * the next is there. `key` says what is asked about: with another, it is another question.
 */
export function useAnswer<T>(
  key: string,
  ask: (daemon: Daemon) => Promise<T>,
  topics: readonly Topic[],
): T | undefined {
  const { daemon } = usePage();
  const version = useTeam(({ versions }) => topics.reduce((sum, topic) => sum + (versions[topic] ?? 0), 0));
  const [answered, setAnswered] = useState<{ readonly key: string; readonly value: T }>();
  const question = useRef(ask);
  question.current = ask;
  const refresher = useRef<Refresher>(undefined);
  useEffect(() => {
    let current = true;
    const made = createRefresher(async () => {
      const value = await question.current(daemon);
      if (current) setAnswered({ key, value });
    }, REST_MS);
    refresher.current = made;
    made.refresh();
    return () => {
      current = false;
      made.stop();
    };
  }, [daemon, key]);
  useEffect(() => {
    if (version > 0) refresher.current?.refresh();
  }, [version]);
  return answered?.key === key ? answered.value : undefined;
}

export function useAsked<Name extends OperationName>(
  operation: Name,
  input: OperationInput<Name>,
  topics: readonly Topic[] = [],
): Answer<OperationOutput<Name>> | undefined {
  return useAnswer(JSON.stringify([operation, input]), (daemon) => daemon.ask(operation, input), topics);
}
