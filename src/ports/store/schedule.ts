import type { Wakeup } from "../../domain/schedule/schedule.ts";

/** When an agent, or everyone in a workspace, is woken without a message. At most one for each target. */
export interface ScheduleRecord {
  readonly id: string;
  /** Canonical text of the target. */
  readonly target: string;
  readonly wakeup: Wakeup;
  readonly prompt: string | null;
  readonly nextAt: number;
  readonly lastFiredAt: number | null;
  /** When a person paused it; null while it is not paused. */
  readonly pausedAt: number | null;
  readonly createdBy: string;
  readonly createdAt: number;
}

export interface ScheduleReads {
  byTarget(target: string): Promise<ScheduleRecord | undefined>;
  list(): Promise<ScheduleRecord[]>;
  /** Those whose time has come, the most overdue first. */
  due(now: number): Promise<ScheduleRecord[]>;
}

export interface ScheduleWrites {
  /** Replaces the schedule of the same target. */
  set(schedule: ScheduleRecord): Promise<void>;
  /** Returns false when there was none. */
  clear(target: string): Promise<boolean>;
}
