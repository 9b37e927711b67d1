import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { Permissions } from "../../domain/agent/definition.ts";
import { whyOnlyPeopleWrite } from "../../domain/agent/obeyed-files.ts";
import { decidePermission, type PermissionRequest } from "../../domain/agent/permission.ts";
import type { PathPrivacy } from "../../domain/agent/private-paths.ts";
import { namesPrivatePath } from "./private-words.ts";

/**
 * A call that a program is about to make with a tool of its own, in the terms of permissions: with our names for tools,
 * so that a rule means the same for every program.
 */
export interface ProgramCall {
  /** Shown to the person who decides. Holds nothing that does not change what is executed. */
  readonly tool: string;
  readonly args: unknown;
  /** All of them must be allowed. Paths are as the program wrote them. */
  readonly requests: readonly PermissionRequest[];
  /** It changes nothing, so it is allowed unless a rule says otherwise. */
  readonly isReadOnly: boolean;
}

export type CallDecision =
  | { readonly decision: "allow" | "ask" }
  | { readonly decision: "deny"; readonly reason: string };

/**
 * Decides on a call by the agent's permissions. `privacy` takes paths relative to the working folder. A call that no rule matches needs a person, because it would happen on
 * this machine. With an explicit `mode: virtual` it is denied: a program has no virtual shell. For the same reason `*`
 * in `allow` counts only with `mode: host`. No rule allows a program to read what is private, to name it in a command, or
 * to write what other programs obey.
 */
export async function decideCall(
  permissions: Permissions | undefined,
  call: ProgramCall,
  cwd: string,
  privacy: PathPrivacy,
): Promise<CallDecision> {
  const { mode, allow = [] } = permissions ?? {};
  const rules = {
    ...permissions,
    mode: call.isReadOnly ? "virtual" : "host",
    allow: mode === "host" ? allow : allow.filter((pattern) => pattern.trim() !== "*"),
  } as const;
  const requests = await Promise.all(call.requests.map((request) => located(request, cwd)));
  const hidden = requests.find(({ tool, path }) => READING.has(tool) && path !== undefined && privacy(path) !== null);
  if (hidden?.path !== undefined) {
    return { decision: "deny", reason: `Not allowed: ${hidden.path} is private: ${privacy(hidden.path) ?? ""}` };
  }
  const exists = (path: string): boolean => existsSync(resolve(cwd, path));
  const needsPerson = ({ tool, command, path }: PermissionRequest): boolean =>
    command === undefined
      ? tool === "write_file" && path !== undefined && whyOnlyPeopleWrite(path, exists) !== null
      : namesPrivatePath(command, { cwd, root: cwd, privacy });
  const decided = requests.map((request) => {
    const byRules = decidePermission(rules, request);
    const asks = byRules.decision === "allow" && needsPerson(request);
    return asks ? { request, decision: "ask" as const, pattern: null } : { request, ...byRules };
  });

  const denied = decided.find(({ decision }) => decision === "deny");
  if (denied !== undefined) {
    return { decision: "deny", reason: `Not allowed: "${denied.pattern}" is denied to this agent.` };
  }
  const toAsk = decided.filter(({ decision }) => decision === "ask");
  const unnamed = toAsk.find(({ pattern }) => pattern === null);
  if (unnamed !== undefined && mode === "virtual") {
    return { decision: "deny", reason: `Not allowed: ${wordsOf(unnamed.request)} is on this machine. ${VIRTUAL}` };
  }
  return { decision: toAsk.length > 0 ? "ask" : "allow" };
}

const READING: ReadonlySet<string> = new Set(["read_file", "list_files"]);

const VIRTUAL =
  "This agent is to stay in a virtual shell (mode: virtual). Allow the call in its permissions, or write mode: host to be asked.";

function wordsOf({ tool, command, path }: PermissionRequest): string {
  const subject = command ?? path;
  return subject === undefined ? tool : `${tool}(${subject})`;
}

/** Makes the path relative to the working folder and resolves links, so that no other spelling of it avoids a rule. */
async function located(request: PermissionRequest, cwd: string): Promise<PermissionRequest> {
  if (request.path === undefined) return request;
  return { ...request, path: relative(await realPath(cwd), await realPath(resolve(cwd, request.path))) };
}

async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(await realPath(folder), basename(path));
  }
}
