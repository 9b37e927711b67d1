/** `agent-worker/testing`: for people who test their own teams, without a model and without mocks. */
export {
  scriptedEngine,
  type Script,
  type ScriptedEngine,
  type ScriptedEnd,
  type ScriptedStep,
} from "./scripted-engine.ts";
export { openTestTeam, type TestTeam, type TestTeamOptions } from "./test-team.ts";
