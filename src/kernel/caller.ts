/**
 * Who asks. A caller is made from a credential, never from what a request says about itself: a person's token makes a
 * person, a run's token makes the agent of that run, bound to the space it runs in and to the message it answers.
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
      /** Id of the message the run answers: what the agent says now is caused by it. */
      readonly cause: string | null;
    };

export const person: Caller = { kind: "person" };
export const systemCaller: Caller = { kind: "system" };
