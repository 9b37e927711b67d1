import * as contract from "../../contract/schedules.ts";
import { persons } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { changePause } from "./change-pause.ts";

export const resumeSchedule = proposal(contract.resumeSchedule, {
  access: persons,
  execute: ({ target }, ctx) => changePause(ctx, target, false),
});
