import type { FaultCode } from "../../kernel/fault.ts";
import type { RefusalCode } from "../../kernel/refusal.ts";

/** Exit codes of the command. Scripts rely on them: a code never changes its meaning. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  refused: 3,
  unreachable: 4,
  /** The work ended without the result that was asked for. */
  noResult: 5,
  interrupted: 130,
} as const;

interface Answer {
  readonly status: number;
  readonly exit: number;
}

/** HTTP status and exit code of each refusal. */
export const REFUSAL_ANSWERS: Readonly<Record<RefusalCode, Answer>> = {
  invalid: { status: 400, exit: EXIT.usage },
  unauthenticated: { status: 401, exit: EXIT.refused },
  forbidden: { status: 403, exit: EXIT.refused },
  not_found: { status: 404, exit: EXIT.refused },
  not_running: { status: 409, exit: EXIT.refused },
  not_participant: { status: 422, exit: EXIT.refused },
  untrusted: { status: 403, exit: EXIT.refused },
  conflict: { status: 409, exit: EXIT.refused },
  lease_lost: { status: 409, exit: EXIT.refused },
  stale_revision: { status: 409, exit: EXIT.refused },
  closed: { status: 409, exit: EXIT.refused },
  too_large: { status: 413, exit: EXIT.refused },
  budget_exhausted: { status: 422, exit: EXIT.refused },
  limited: { status: 429, exit: EXIT.refused },
  failed: { status: 422, exit: EXIT.failed },
  unavailable: { status: 503, exit: EXIT.unreachable },
};

/** HTTP status and exit code of each fault. The request was correct: it may succeed later. */
export const FAULT_ANSWERS: Readonly<Record<FaultCode, Answer>> = {
  disk_full: { status: 503, exit: EXIT.failed },
  disk_failed: { status: 503, exit: EXIT.failed },
  database_newer: { status: 503, exit: EXIT.refused },
  database_damaged: { status: 503, exit: EXIT.failed },
  database_locked: { status: 503, exit: EXIT.refused },
  database_gone: { status: 503, exit: EXIT.failed },
  database_unreachable: { status: 503, exit: EXIT.failed },
  runtime_too_old: { status: 503, exit: EXIT.usage },
  store_closed: { status: 503, exit: EXIT.unreachable },
  project_invalid: { status: 503, exit: EXIT.usage },
  file_unreadable: { status: 503, exit: EXIT.failed },
  file_unwritable: { status: 503, exit: EXIT.failed },
  file_unsafe: { status: 503, exit: EXIT.refused },
  home_unsafe: { status: 503, exit: EXIT.refused },
  node_name_taken: { status: 503, exit: EXIT.refused },
  daemon_running: { status: 503, exit: EXIT.refused },
  port_unusable: { status: 503, exit: EXIT.refused },
  daemon_unreachable: { status: 503, exit: EXIT.unreachable },
};
