/**
 * Who calls an operation. A caller is derived from a token, never from the content of a request: a person's token gives a
 * person; a run's token gives the agent of that run, bound to its space and to the message it answers.
 */
export type Caller =
  | { readonly kind: "person" }
  | { readonly kind: "system" }
  | {
      readonly kind: "agent";
      readonly name: string;
      /** Text form of the space the run belongs to (see `domain/message/space.ts`). */
      readonly space: string;
      readonly run: string | null;
      /**
       * The number of the claim under which the run acts. Its operations are refused when the run has another number, or
       * is not open any more. Absent for an agent that calls nothing itself.
       */
      readonly fence?: number;
      /** Id of the message that the run answers: it causes what the agent sends. */
      readonly cause: string | null;
      /**
       * Names of the operations that the tools of the run use: it may call no other. Grants change them. Absent for an agent that calls
       * nothing itself, such as the author of a rule that fires.
       */
      readonly operations?: Pick<ReadonlySet<string>, "has">;
      /** Names the tool call among those of the run. When an interrupted step is made again, its calls have the same. */
      readonly call?: string;
    };

export const person: Caller = { kind: "person" };
export const systemCaller: Caller = { kind: "system" };

/** A run that acts under a claim. */
export type FencedCaller = Extract<Caller, { kind: "agent" }> & { readonly run: string; readonly fence: number };

export function isFenced(caller: Caller): caller is FencedCaller {
  return caller.kind === "agent" && caller.run !== null && caller.fence !== undefined;
}
