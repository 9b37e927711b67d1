import type { PeerProgram, Run, Setup } from "./setup.ts";

/** What main asks a program for. Each request has one reply with the same id. */
export type ProgramRequest =
  | { readonly id: number; readonly do: "start"; readonly setup: Setup }
  | { readonly id: number; readonly do: "run" | "begin" | "resume"; readonly run: Run }
  | { readonly id: number; readonly do: "many"; readonly runs: number; readonly round: string }
  | { readonly id: number; readonly do: "handOver"; readonly name: string }
  | { readonly id: number; readonly do: "stop" };

export interface ProgramReply {
  readonly id: number;
  readonly ms: number;
  readonly value?: unknown;
  readonly error?: string;
}

/** How many of the runs at once failed, and why the first did. */
export interface ManyOutcome {
  readonly errors: number;
  readonly reason: string;
}

/** Runs a program: as main asks, or, with the argument `cold`, from its start to its first answer. */
export async function serveProgram(program: PeerProgram): Promise<void> {
  const [mode, setup] = process.argv.slice(2);
  if (mode === "cold") {
    await program.start(JSON.parse(setup ?? "{}") as Setup);
    await program.run({ kind: "first", number: 1, id: `cold-${process.pid}` });
    process.exit(0);
  }
  // Main is gone: what the program started ends with it.
  process.on("disconnect", () => void program.stop().finally(() => process.exit(0)));
  process.on("message", (request: ProgramRequest) => void reply(program, request));
}

async function reply(program: PeerProgram, request: ProgramRequest): Promise<void> {
  const started = performance.now();
  const { id } = request;
  const send = (more: Pick<ProgramReply, "value" | "error">): void =>
    void process.send?.({ id, ms: performance.now() - started, ...more } satisfies ProgramReply);
  try {
    send({ value: await perform(program, request) });
  } catch (error) {
    send({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

async function perform(program: PeerProgram, request: ProgramRequest): Promise<unknown> {
  switch (request.do) {
    case "start":
      return await program.start(request.setup);
    case "run":
      return await program.run(request.run);
    case "begin":
      program.run(request.run).catch(() => {}); // It is killed in the middle.
      return undefined;
    case "resume":
      return await program.resume(request.run);
    case "many": {
      const { runs, round } = request;
      const all = Array.from({ length: runs }, (_, i) =>
        program.run({ kind: "many", number: i + 1, id: `${round}-${i + 1}` }),
      );
      const failed = (await Promise.allSettled(all)).filter((each) => each.status === "rejected");
      return { errors: failed.length, reason: String(failed[0]?.reason ?? "") } satisfies ManyOutcome;
    }
    case "handOver":
      return await program.handOver(request.name);
    case "stop":
      return await program.stop();
    default:
      throw new Error(`no such request: ${String(request satisfies never)}`);
  }
}
