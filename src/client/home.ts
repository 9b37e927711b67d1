/**
 * Returns the folder in which a user's daemon registers. Here, and in other files that every command loads, Node's
 * modules are loaded without an import: linking one costs a short command more time than using it.
 */
export function homeFolder(env: Readonly<Record<string, string | undefined>>): string {
  const { join, resolve } = process.getBuiltinModule("node:path");
  const configured = env["AGENT_WORKER_HOME"] ?? "";
  if (configured !== "") return resolve(configured);
  const userHome = env["HOME"] ?? "";
  return join(userHome === "" ? process.getBuiltinModule("node:os").homedir() : userHome, ".agent-worker");
}
