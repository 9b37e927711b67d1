import type { DaemonContext, RunCredentials } from "../runtime/daemon-context.ts";
import type { OpenProjects } from "./open-projects.ts";
import type { PersonToken } from "./person-token.ts";

export interface DaemonContextParts extends Pick<
  DaemonContext,
  "version" | "instance" | "phase" | "problems" | "page" | "shutdown"
> {
  readonly projects: OpenProjects;
  readonly token: PersonToken;
  readonly runCredentials: RunCredentials;
}

/** The daemon as its faces see it. Who asks is told by the token alone: the person's, that of a browser the person
 * let in, or that of a run at work. */
export function createDaemonContext({ projects, token, runCredentials, ...about }: DaemonContextParts): DaemonContext {
  return {
    ...about,
    runCredentials,
    project: (path) => projects.get(path),
    openProjects: () => projects.open(),
    identify(given) {
      if (token.matches(given) || about.page.recognise(given)) return { kind: "person" };
      const credential = runCredentials.find(given);
      return credential === undefined ? undefined : { kind: "run", credential };
    },
    prove: (nonce) => token.prove(nonce),
  };
}
