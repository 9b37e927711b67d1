/** `agent-worker`: the daemon and a client for it, to be used inside another program. */
export { createClient, type ClientOptions } from "../client/create-client.ts";
export type { Client, WireEvent } from "../client/client.ts";
export { openDaemon, type Daemon, type DaemonOptions } from "./daemon.ts";
export type { Engine, EngineSession, SessionSpec, StepEvent, StepInput } from "../ports/engine.ts";
