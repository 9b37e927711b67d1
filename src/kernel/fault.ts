export type FaultCode =
  | "disk_full"
  | "disk_failed"
  | "database_newer"
  | "database_damaged"
  | "database_locked"
  | "database_gone"
  | "database_unreachable"
  | "runtime_too_old"
  | "store_closed"
  | "project_invalid"
  | "file_unreadable"
  | "file_unwritable"
  | "file_unsafe"
  | "home_unsafe"
  | "daemon_running"
  | "node_name_taken"
  | "port_unusable"
  | "daemon_unreachable";

/**
 * A failure of the disk, a process or the network, thrown by adapters. Its code is for programs; its message is one
 * sentence for people. Anything thrown that is not a Fault is a bug.
 */
export class Fault extends Error {
  readonly code: FaultCode;
  readonly hint: string | undefined;

  constructor(code: FaultCode, message: string, options: { cause?: unknown; hint?: string } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "Fault";
    this.code = code;
    this.hint = options.hint;
  }
}
