import { AsyncLocalStorage } from "node:async_hooks";

/** One call of code that a project brings. A call made by another one, in its transaction, ends with that one. */
export interface CodeCall {
  readonly outer: CodeCall | undefined;
  ended: boolean;
}

const calls = new AsyncLocalStorage<CodeCall>();

/** Runs code of a project, so that everything it starts is known to be its own. `work` gets the call it is part of. */
export function runProjectCode<T>(work: (call: CodeCall) => T): T {
  const call: CodeCall = { outer: calls.getStore(), ended: false };
  return calls.run(call, work, call);
}

/** Whether the current code was started by code of a project, also in a handler of uncaught errors. */
export function isProjectCode(): boolean {
  return calls.getStore() !== undefined;
}

/** Whether the call was given up, or one that it is a part of. */
export function isEnded(call: CodeCall): boolean {
  return call.ended || (call.outer !== undefined && isEnded(call.outer));
}

export function depthOf(call: CodeCall): number {
  return call.outer === undefined ? 1 : 1 + depthOf(call.outer);
}
