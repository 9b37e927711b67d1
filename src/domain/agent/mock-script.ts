import type { ErrorClass } from "../delivery/retry.ts";
import type { EngineName } from "./definition.ts";

/**
 * What an agent on the mock engine does: the turns it has in it, each a list of steps. The script of an agent is its
 * model: `backend: mock` with `model: scripts/reviewer.yaml`, a path in the project. The file spelling ends in
 * `files/definitions/mock-script.ts`; a test or a demo can also build the value directly.
 */
export interface MockScript {
  readonly turns: readonly MockTurn[];
}

/** Played for one run: the first turn in order that fits what the agent is asked and has not been played. */
export interface MockTurn {
  /** Text the messages must contain, or an expression they must match, whose named groups become values. Absent: any. */
  readonly when?: string | RegExp;
  /** May be played any number of times. */
  readonly repeat?: boolean;
  /** One step of the run each. The text of the last one is the answer; no steps = silence. */
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
  /** Waits, for a time drawn evenly from between the two. */
  | { readonly kind: "delay"; readonly minMs: number; readonly maxMs: number }
  | {
      readonly kind: "fail";
      readonly class: ErrorClass;
      readonly message?: string;
      /** Text streamed before the failure. */
      readonly after?: string;
      readonly retryAfterMs?: number;
      /** How often the step fails before it is passed over; once when absent. */
      readonly times?: number;
    };

/** The path of the agent's script as it was written; null when the mock engine has none to play. */
export function mockScriptPath(settings: {
  readonly backend?: EngineName | undefined;
  readonly model?: string | undefined;
}): string | null {
  const path = settings.model?.trim() ?? "";
  return settings.backend === "mock" && /\.ya?ml$/i.test(path) ? path : null;
}
