/** `agent-worker/testing`: for tests of your own team without a model, of your own engine, and of a store driver. */
export {
  engineCases,
  type EngineCase,
  type EngineMove,
  type EngineRig,
  type StartedEngine,
} from "./engine-conformance.ts";
export {
  scriptedEngine,
  type Script,
  type ScriptedEngine,
  type ScriptedEnd,
  type ScriptedStep,
} from "./scripted-engine.ts";
export { silentLog } from "./silent-log.ts";
export { openTestTeam, type TestTeam, type TestTeamOptions } from "./test-team.ts";
export { storeConformance, type StoreFactory } from "./store-conformance/suite.ts";
