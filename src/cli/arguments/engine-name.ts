import { oneOf } from "./one-of.ts";

const ENGINES = ["sdk", "claude", "codex", "cursor", "opencode", "mock"] as const;

/** The engine a person means with `--backend`. */
export function engineName(given: string | undefined): (typeof ENGINES)[number] | undefined {
  return oneOf("--backend", given, ENGINES);
}
