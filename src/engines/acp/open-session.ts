import type { NewSessionRequest, SessionConfigOption } from "@agentclientprotocol/sdk";
import type { Log } from "../../kernel/log.ts";
import { EngineFailure, type SessionSpec } from "../../ports/engine.ts";
import type { EngineParts } from "../shared/engine-module.ts";
import type { McpServers } from "../shared/mcp-servers.ts";
import type { AcpAgent } from "./acp-agent.ts";
import { acpMcpServers } from "./acp-mcp-servers.ts";
import { modelChoice } from "./acp-model.ts";

export interface OpenSessionParts {
  readonly agent: AcpAgent;
  readonly spec: SessionSpec;
  /** The agent's own, with references to the environment replaced. */
  readonly mcpServers: McpServers;
  readonly bridge: EngineParts["bridge"] | undefined;
  readonly log: Log;
}

/**
 * Resumes the previous session if the agent supports that and still has it; otherwise opens a new one. Updates that an
 * agent repeats while it loads an old session are dropped, because there is no listener yet.
 */
export async function openSession(
  { agent, spec, mcpServers, bridge, log }: OpenSessionParts,
  previous: string | null,
  signal: AbortSignal,
): Promise<{ readonly session: string; readonly isNew: boolean }> {
  const { loadSession, sessionCapabilities, mcpCapabilities } = agent.capabilities;
  const servers = acpMcpServers(mcpServers, spec.endpoint, mcpCapabilities, bridge, spec.cwd);
  const where: NewSessionRequest = { cwd: spec.cwd, mcpServers: servers };
  const chooseModel = async (
    sessionId: string,
    options: readonly SessionConfigOption[] | null | undefined,
  ): Promise<void> => {
    const choice = modelChoice(spec.agent.model, options ?? [], agent.title);
    if (choice !== null) await agent.request((peer) => choice(peer, sessionId), signal);
  };

  const method =
    typeof sessionCapabilities?.resume === "object" && sessionCapabilities.resume !== null
      ? "session/resume"
      : loadSession === true
        ? "session/load"
        : null;
  if (previous !== null && method !== null) {
    try {
      const opened = await agent.request((peer) => peer.request(method, { ...where, sessionId: previous }), signal);
      await chooseModel(previous, opened.configOptions);
      return { session: previous, isNew: false };
    } catch (error) {
      if (!(error instanceof EngineFailure) || error.class === "crash") throw error;
      log.info("began a new session", { run: spec.run, engine: "acp", reason: error.message });
    }
  }
  const created = await agent.request((peer) => peer.request("session/new", where), signal);
  await chooseModel(created.sessionId, created.configOptions);
  return { session: created.sessionId, isNew: true };
}
