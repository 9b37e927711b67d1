import { DEFAULT_ENGINE, type EngineName } from "../../../domain/agent/engines.ts";
import type { Terminal } from "../terminal.ts";

/** Notes that an agent was given a model that cannot be asked yet, with the command that changes it. */
export async function noteMissingKey(
  terminal: Terminal,
  dir: string,
  {
    name,
    model,
    backend = DEFAULT_ENGINE,
  }: { readonly name: string; readonly model: string; readonly backend?: EngineName | undefined },
): Promise<void> {
  const { missingForModel } = await import("../../../daemon/machine/missing-for-model.ts");
  const missing = await missingForModel({ backend, model }, terminal.env, dir);
  if (missing !== undefined) terminal.note(`${name} cannot answer yet. ${missing.what} Type: ${missing.command}\n`);
}
