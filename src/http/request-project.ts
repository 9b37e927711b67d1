import type { IncomingMessage } from "node:http";
import { PROJECT_HEADER } from "../contract/service/headers.ts";
import { refuse, type Refusal } from "../kernel/refusal.ts";
import { ok, type Result } from "../kernel/result.ts";
import type { DaemonContext, Identity } from "../runtime/daemon-context.ts";
import type { RunningProject } from "../runtime/running-project.ts";

/** Returns the project of a request: a run's token determines it, a person names it in a header. */
export function projectOf(
  daemon: DaemonContext,
  identity: Identity,
  request: IncomingMessage,
): Promise<Result<RunningProject, Refusal>> {
  const path = readHeader(request.headers[PROJECT_HEADER]);
  if (!path.ok) return Promise.resolve(path);
  if (identity.kind === "person") return daemon.project(path.value);
  const { project } = identity.credential;
  if (path.value === undefined || path.value === project.dir) return Promise.resolve(ok(project));
  const hint = `Leave the header ${PROJECT_HEADER} out.`;
  return Promise.resolve(refuse("forbidden", "The token of a run is good for its own project only.", { hint }));
}

/** Returns the project that a request names if it is open; without a name, the first open one. Opens none. */
export function openProjectOf(daemon: DaemonContext, request: IncomingMessage): RunningProject | undefined {
  const path = readHeader(request.headers[PROJECT_HEADER]);
  if (!path.ok) return undefined;
  return daemon.openProjects().find(({ dir }) => path.value === undefined || dir === path.value);
}

const CONTROL = /\p{Cc}/u;

/** A path is sent as UTF-8 or percent-encoded. A percent sign in the path is always `%25`. */
function readHeader(header: string | string[] | undefined): Result<string | undefined, Refusal> {
  if (header === undefined) return ok(undefined);
  const path = decode(Buffer.from(String(header), "latin1").toString());
  if (path !== undefined && path !== "" && !CONTROL.test(path)) return ok(path);
  return refuse("invalid", `The header ${PROJECT_HEADER} is not a path.`, {
    hint: "Send the absolute path of the project folder, percent-encoded.",
  });
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
