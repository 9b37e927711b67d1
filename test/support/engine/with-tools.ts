import type { Engine } from "../../../src/ports/engine.ts";
import { startToolServer } from "./tool-server.ts";

/** The daemon's part for engines whose model runs in a program of its own: while a session is open, its tools listen. */
export function withTools(engine: Engine): Engine {
  return {
    name: engine.name,
    open: async (spec, signal) => {
      const endpoint = await startToolServer(spec.tools);
      try {
        const session = await engine.open({ ...spec, endpoint }, signal);
        return {
          model: session.model,
          step: (input, stepSignal) => session.step(input, stepSignal),
          [Symbol.asyncDispose]: async () => {
            await session[Symbol.asyncDispose]();
            await endpoint[Symbol.asyncDispose]();
          },
        };
      } catch (error) {
        await endpoint[Symbol.asyncDispose]();
        throw error;
      }
    },
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}
