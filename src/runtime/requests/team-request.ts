import type { RequestResult, RunEvent } from "../../contract/work-request.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { DEFAULT_TAG } from "../../domain/names.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import type { Result } from "../../kernel/result.ts";
import { NEVER, startAndFollow } from "./workflow-request.ts";
import type { RunningProject } from "../running-project.ts";
import { whileWatched } from "./while-watched.ts";

/**
 * Lets agents that are written in the workRequest itself work on one message, which is said to all of them. They are a
 * workflow in memory that is forgotten when its workspace closes, whether somebody still watches or not.
 */
export async function runTeam(
  project: RunningProject,
  workRequest: { readonly agents: Readonly<Record<string, unknown>>; readonly message: string },
  tell: (event: RunEvent) => void,
  signal: AbortSignal,
): Promise<Result<RequestResult, Refusal>> {
  const { definitions } = project;
  const team = definitions.addTeam(workRequest.agents);
  if (!team.ok) return team;
  const { name } = team.value;
  const request = { workflow: name, tag: DEFAULT_TAG, params: {}, message: workRequest.message, untilIdle: true };
  const work = async (): Promise<Result<RequestResult, Refusal>> => {
    try {
      return await startAndFollow(project, request, tell, NEVER);
    } finally {
      definitions.removeTeam(name);
      await project.store.retire(formatSpace({ kind: "workspace", workflow: name, tag: DEFAULT_TAG }));
    }
  };
  return whileWatched(work(), signal);
}
