/** `agent-worker`: the daemon and a client for it, to be used inside another program. */
export { createClient, type ClientOptions } from "../client/create-client.ts";
export type { Client, WireEvent } from "../client/client.ts";
export { openDaemon, type Daemon, type DaemonOptions } from "./daemon.ts";
export type { Engine, EngineSession, SessionSpec, StepEvent, StepInput } from "../ports/engine.ts";
export {
  defineProposal,
  refuse,
  type PrepareContext,
  type ProposalAccess,
  type ProposalCaller,
  type ProposalContext,
  type ProposalDefinition,
  type ProposalMessage,
  type ProposalReads,
  type ProposalRefusal,
} from "../operations/own-proposals/definition.ts";
