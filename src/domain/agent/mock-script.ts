import type { ErrorClass } from "../delivery/retry.ts";
import type { EngineName } from "./definition.ts";

/**
 * The script of an agent on the mock engine: a list of turns, each a list of steps. The agent names it as its model:
 * `backend: mock` with `model: scripts/reviewer.yaml`, a path in the project. `files/definitions/mock-script.ts` reads
 * the file; a test or a demo can also build the value directly.
 */
export interface MockScript {
  readonly turns: readonly MockTurn[];
}

/** Played for one run: the first turn in order that matches the messages and was not played yet. */
export interface MockTurn {
  /** Text the messages must contain, or an expression they must match; its named groups become values. Absent: any. */
  readonly when?: string | RegExp;
  /** May be played any number of times. */
  readonly repeat?: boolean;
  /** One step of the run each. The text of the last one is the answer; without steps there is none. */
  readonly steps: readonly MockStep[];
}

/** Texts may hold `{{ sender }}`, `{{ message }}`, named groups of `when`, and `{{ NAME.path }}` of an earlier call. */
export type MockStep =
  | {
      readonly kind: "say";
      readonly text: string;
      /** Wait between the pieces the text is streamed in. */
      readonly paceMs?: number;
    }
  | {
      readonly kind: "call";
      readonly tool: string;
      readonly args: Readonly<Record<string, unknown>>;
      /** Name under which later steps find the result; it is always `result` too. */
      readonly as?: string;
    }
  /** Waits for a random time between the two. */
  | { readonly kind: "delay"; readonly minMs: number; readonly maxMs: number }
  | {
      readonly kind: "fail";
      readonly class: ErrorClass;
      readonly message?: string;
      /** Text streamed before the failure. */
      readonly after?: string;
      readonly retryAfterMs?: number;
      /** How often the step fails before it is skipped. Default: once. */
      readonly times?: number;
    };

/** Returns the path of the agent's script as it was written; null when it has none. */
export function mockScriptPath(settings: {
  readonly backend?: EngineName | undefined;
  readonly model?: string | undefined;
}): string | null {
  const path = settings.model?.trim() ?? "";
  return settings.backend === "mock" && /\.ya?ml$/i.test(path) ? path : null;
}
