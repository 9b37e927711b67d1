import { openProject, type Project } from "../../src/daemon/open-project.ts";
import { localOptions } from "./local-options.ts";

/** A project opened in this very process, without loops and without a daemon. Refused while another has it open. */
export interface LocalProject extends AsyncDisposable {
  readonly project: Project;
}

export async function openLocalProject(dir: string): Promise<LocalProject> {
  const project = await openProject(localOptions(dir));
  return { project, [Symbol.asyncDispose]: () => project[Symbol.asyncDispose]() };
}
