import type { DaemonContext, RunCredentials } from "../runtime/daemon-context.ts";
import type { OpenProjects } from "./open-projects.ts";
import type { PersonToken } from "./person-token.ts";

export interface DaemonContextParts extends Pick<
  DaemonContext,
  "version" | "node" | "instance" | "phase" | "problems" | "keys" | "hold" | "page" | "url" | "publicUrl" | "shutdown"
> {
  readonly projects: OpenProjects;
  readonly token: PersonToken;
  readonly runCredentials: RunCredentials;
}

export function createDaemonContext({ projects, token, runCredentials, ...rest }: DaemonContextParts): DaemonContext {
  return {
    ...rest,
    runCredentials,
    project: (path) => projects.get(path),
    openProjects: () => projects.open(),
    identify(text, from) {
      if (token.matches(text)) return { kind: "person" };
      const session = from === undefined ? undefined : rest.page.findSession(text, from);
      if (session !== undefined) return { kind: "person", session };
      const credential = runCredentials.find(text);
      return credential === undefined ? undefined : { kind: "run", credential };
    },
    prove: (nonce) => token.prove(nonce),
  };
}
