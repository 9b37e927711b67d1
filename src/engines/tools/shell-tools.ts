import { resolve } from "node:path";
import { z } from "zod";
import type { AgentDefinition, Permissions } from "../../domain/agent/definition.ts";
import { decidePermission } from "../../domain/agent/permission.ts";
import { pathPrivacy, type PersonalFolders } from "../../domain/agent/private-paths.ts";
import { definedVariables } from "../../domain/agent/variable-references.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Approvals, ToolHost } from "../../ports/tools.ts";
import { createReadOnlyGit } from "../git/read-only-git.ts";
import { boundText } from "../shared/bounded-output.ts";
import { nameableVariables, type Environment } from "../shared/environment.ts";
import { namesPrivatePath } from "../shared/private-words.ts";
import type { AgentShell, RunCommand } from "./agent-shell.ts";
import { fileTools } from "./file-tools.ts";
import { createHostShell } from "./host-shell.ts";
import { done, failed, localTool, localToolHost, type Gate, type LocalTool } from "./local-tool.ts";
import { createVirtualShell } from "./virtual-shell.ts";

export interface ShellToolsOptions {
  readonly definition: Pick<AgentDefinition, "cwd" | "permissions" | "env">;
  readonly personalFolders: PersonalFolders;
  /** Absolute. */
  readonly projectDir: string;
  readonly clock: Clock;
  readonly askApproval: Approvals["ask"];
  /** The environment for host commands, and for `$NAME` in the agent's `env`. */
  readonly environment?: Environment;
  /** Variables of the project's `.env`, for `$NAME` in the agent's `env`. */
  readonly projectVariables?: () => Environment;
}

const DEFAULT_SECONDS = 120;
const MAX_SECONDS = 600;
const MAX_COMMAND = 64 * 1024;
const MAX_ANSWER = 48 * 1024;

/**
 * `bash`, `read_file`, `write_file` and `list_files` for one run of one agent: in a virtual shell whose changes exist
 * as long as this object or are in the project, or on the host if its permissions say so. Disposing it ends every command.
 */
export function createShellTools(options: ShellToolsOptions): ToolHost & AsyncDisposable {
  const { definition, projectDir, clock, environment = process.env } = options;
  const cwd = definition.cwd ?? ".";
  const privacy = pathPrivacy(options.personalFolders);
  const gate = permissionGate(definition.permissions, options.askApproval, (command) =>
    namesPrivatePath(command, { cwd: resolve(projectDir, cwd), root: projectDir, privacy }),
  );
  const toolsOf = (shell: AgentShell, description: string, run = shell.run) => ({
    ...localToolHost([bashTool(run, description), ...fileTools(shell.files)], gate),
    [Symbol.asyncDispose]: () => shell[Symbol.asyncDispose](),
  });
  const mode = definition.permissions?.mode ?? "virtual";
  if (mode !== "host") {
    const git = createReadOnlyGit({ clock, env: environment, projectDir });
    const writes = mode === "project" ? "project" : "memory";
    const shell = createVirtualShell({ clock, projectDir, cwd, privacy, writes, git });
    return toolsOf(shell, mode === "project" ? PROJECT : VIRTUAL);
  }
  const expanded = definedVariables(definition.env, nameableVariables(environment, options.projectVariables));
  const added = expanded.ok ? expanded.value : {};
  const shell = createHostShell({ clock, projectDir, cwd, environment, added, privacy });
  const run: RunCommand = expanded.ok
    ? shell.run
    : async () => ({ output: `${expanded.error.message} ${expanded.error.hint ?? ""}`, code: 1, timedOut: false });
  return toolsOf(shell, HOST, run);
}

const VIRTUAL =
  "Runs a command in a virtual bash with the usual text tools, on the project under /project. " +
  "Changes are kept for this run only, not on disk. No network, and of other programs only git diff, log, show, status and blame.";
const PROJECT =
  "Runs a command in a virtual bash with the usual text tools, on the project under /project. Changes are on disk. " +
  "No network, and of other programs only git diff, log, show, status and blame.";
const HOST =
  "Runs a command with sh on this machine, in the project. What it starts in the background ends with the command. " +
  "A person may have to approve it.";

const bashInput = z.object({
  command: z.string().min(1).max(MAX_COMMAND),
  timeout_seconds: z.int().positive().max(MAX_SECONDS).optional().describe(`Default ${DEFAULT_SECONDS}.`),
});

function bashTool(run: RunCommand, description: string): LocalTool {
  return localTool({
    name: "bash",
    description,
    input: bashInput,
    permission: ({ command }) => ({ command }),
    execute: async ({ command, timeout_seconds: seconds = DEFAULT_SECONDS }, signal) => {
      const { output, code, timedOut } = await run(command, seconds * 1000, signal);
      const text = boundText(output, MAX_ANSWER).trimEnd();
      if (code === 0 && !timedOut) return done(text || "(no output)");
      const end = timedOut ? `[stopped after ${seconds} s]` : `[exit code ${code ?? "none: killed"}]`;
      return failed(text === "" ? end : `${text}\n${end}`);
    },
  });
}

/**
 * Decides by the agent's permissions, or asks a person where they say so. A refusal always has a reason. On the host no
 * rule allows a command that names what is private. Nobody is asked about a call that changes nothing.
 */
function permissionGate(
  permissions: Permissions | undefined,
  askApproval: Approvals["ask"],
  namesPrivate: (command: string) => boolean,
): Gate {
  const onHost = permissions?.mode === "host";
  return async (call, request, prepared) => {
    const { decision, pattern } = decidePermission(permissions, request);
    const asks = onHost && request.command !== undefined && namesPrivate(request.command);
    if (decision === "allow" && !asks) return null;
    if (decision === "deny") {
      return failed(
        `Not allowed: "${pattern}" is denied to this agent. Find another way, or say what you need and why.`,
      );
    }
    const needless = await prepared.needless();
    if (needless !== null) return needless;
    const answer = await askApproval({ ...call, shown: await prepared.shown() });
    if ("pending" in answer) return { kind: "approval", approval: answer.pending };
    return answer.approved ? null : failed(`A person refused this call: ${answer.reason}`);
  };
}
