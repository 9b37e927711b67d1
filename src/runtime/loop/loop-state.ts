/**
 * The states of a loop and their transitions. A loop looks for work when it is woken, executes one run at a time, and
 * looks once more if it was woken meanwhile. Only `transition` changes its state.
 */
export type LoopState =
  | { readonly kind: "stopped" }
  | { readonly kind: "idle" }
  /** Looking for work or executing it. `woken`: it must look once more before it becomes idle. */
  | { readonly kind: "running"; readonly woken: boolean }
  /** The step it executes may finish or be aborted. */
  | { readonly kind: "stopping" }
  /** The loop itself failed, not the agent's run. It retries, after a longer delay each time. */
  | { readonly kind: "failed"; readonly failures: number };

export type LoopInput = "start" | "wake" | "found-nothing" | "found-stopped" | "failed" | "retry" | "stop" | "ended";

/** What the loop has to do on entering the new state. */
export type LoopEffect = "look" | "wait-and-retry" | "abort" | "none";

export interface Transition {
  readonly state: LoopState;
  readonly effect: LoopEffect;
}

export const STOPPED: LoopState = { kind: "stopped" };
const IDLE: LoopState = { kind: "idle" };
const RUNNING: LoopState = { kind: "running", woken: false };

export function transition(state: LoopState, input: LoopInput, failures = 0): Transition {
  const stay: Transition = { state, effect: "none" };
  const look: Transition = { state: RUNNING, effect: "look" };
  switch (input) {
    case "start":
      return state.kind === "stopped" ? look : stay;
    case "wake":
      if (state.kind === "idle") return look;
      return state.kind === "running" ? { state: { kind: "running", woken: true }, effect: "none" } : stay;
    case "found-nothing":
      if (state.kind !== "running") return stay;
      return state.woken ? look : { state: IDLE, effect: "none" };
    // A person stopped the agent: what waits for it is not new.
    case "found-stopped":
      if (state.kind !== "running") return stay;
      return state.woken ? look : { state: STOPPED, effect: "none" };
    case "failed":
      return state.kind === "running"
        ? { state: { kind: "failed", failures: failures + 1 }, effect: "wait-and-retry" }
        : stay;
    case "retry":
      return state.kind === "failed" ? look : stay;
    case "stop":
      if (state.kind === "running") return { state: { kind: "stopping" }, effect: "abort" };
      return state.kind === "stopping" ? stay : { state: STOPPED, effect: "none" };
    case "ended":
      return state.kind === "stopping" ? { state: STOPPED, effect: "none" } : stay;
  }
}
