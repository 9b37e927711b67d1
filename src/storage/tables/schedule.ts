import type { Wakeup } from "../../domain/schedule/schedule.ts";
import type { ScheduleReads, ScheduleRecord, ScheduleWrites } from "../../ports/store/schedule.ts";
import type { Connection, Row, WriteConnection } from "../connection.ts";

export function scheduleReads(db: Connection): ScheduleReads {
  const selectByTarget = db.get("SELECT * FROM schedule WHERE target = ?");
  const selectAll = db.all("SELECT * FROM schedule ORDER BY target");
  const selectDue = db.all("SELECT * FROM schedule WHERE next_at <= ? ORDER BY next_at, target");
  return {
    async byTarget(target) {
      const row = await selectByTarget(target);
      return row === undefined ? undefined : toSchedule(row);
    },

    async list() {
      return (await selectAll()).map(toSchedule);
    },

    async due(now) {
      return (await selectDue(now)).map(toSchedule);
    },
  };
}

export function scheduleWrites(db: WriteConnection): ScheduleWrites {
  const replaceSchedule = db.write(
    `INSERT INTO schedule (target, id, wakeup, prompt, next_at, last_fired_at, paused_at, created_by, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (target) DO UPDATE SET id = excluded.id, wakeup = excluded.wakeup, prompt = excluded.prompt,
       next_at = excluded.next_at, last_fired_at = excluded.last_fired_at, paused_at = excluded.paused_at,
       created_by = excluded.created_by, created_at = excluded.created_at`,
  );
  const deleteSchedule = db.run("DELETE FROM schedule WHERE target = ?");
  return {
    async set(schedule) {
      await replaceSchedule(
        schedule.target,
        schedule.id,
        JSON.stringify(schedule.wakeup),
        schedule.prompt,
        schedule.nextAt,
        schedule.lastFiredAt,
        schedule.pausedAt,
        schedule.createdBy,
        schedule.createdAt,
      );
    },

    async clear(target) {
      return (await deleteSchedule(target)) === 1;
    },
  };
}

function toSchedule(row: Row): ScheduleRecord {
  return {
    id: row["id"] as string,
    target: row["target"] as string,
    wakeup: JSON.parse(row["wakeup"] as string) as Wakeup,
    prompt: row["prompt"] as string | null,
    nextAt: row["next_at"] as number,
    lastFiredAt: row["last_fired_at"] as number | null,
    pausedAt: row["paused_at"] as number | null,
    createdBy: row["created_by"] as string,
    createdAt: row["created_at"] as number,
  };
}
