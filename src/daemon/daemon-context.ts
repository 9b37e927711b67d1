import type { Hosting, RunDoors } from "../runtime/daemon-context.ts";
import type { HostedProjects } from "./open-projects.ts";
import type { PersonToken } from "./person-token.ts";

export interface HostingParts extends Pick<
  Hosting,
  "version" | "instance" | "phase" | "problems" | "page" | "shutdown"
> {
  readonly projects: HostedProjects;
  readonly token: PersonToken;
  readonly doors: RunDoors;
}

/** The daemon as its faces see it. Who asks is told by the token alone: the person's, that of a browser the person
 * let in, or that of a run at work. */
export function createHosting({ projects, token, doors, ...about }: HostingParts): Hosting {
  return {
    ...about,
    doors,
    project: (path) => projects.get(path),
    openProjects: () => projects.open(),
    identify(given) {
      if (token.matches(given) || about.page.recognise(given)) return { kind: "person" };
      const door = doors.find(given);
      return door === undefined ? undefined : { kind: "run", door };
    },
    prove: (nonce) => token.prove(nonce),
  };
}
