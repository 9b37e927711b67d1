/** `agent-worker/testing`: for tests of your own team without a model, and for tests of a driver of the store. */
export {
  scriptedEngine,
  type Script,
  type ScriptedEngine,
  type ScriptedEnd,
  type ScriptedStep,
} from "./scripted-engine.ts";
export { openTestTeam, type TestTeam, type TestTeamOptions } from "./test-team.ts";
export { storeConformance, type StoreFactory } from "./store-conformance/suite.ts";
