import type { Invocation } from "../invocation.ts";

/** Whether everything was stopped with `stop --all`, and nobody has gone on with this project yet. */
export async function isAllStopped(invocation: Pick<Invocation, "client" | "projectDir">): Promise<boolean> {
  const { projects } = await (await invocation.client()).health();
  return projects.find(({ dir }) => dir === invocation.projectDir())?.stopped === true;
}

export const ALL_STOPPED =
  "All work is stopped, by stop --all. It goes on with run, start or send, or with: agent-worker daemon start\n";
