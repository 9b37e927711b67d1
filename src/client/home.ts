/**
 * The folder where a user's daemon and its clients meet. Node's modules are fetched here, and in the files that every
 * command loads, without an import: linking one costs a short command more than all it does with it.
 */
export function homeFolder(env: Readonly<Record<string, string | undefined>>): string {
  const { join, resolve } = process.getBuiltinModule("node:path");
  const given = env["AGENT_WORKER_HOME"] ?? "";
  if (given !== "") return resolve(given);
  const user = env["HOME"] ?? "";
  return join(user === "" ? process.getBuiltinModule("node:os").homedir() : user, ".agent-worker");
}
