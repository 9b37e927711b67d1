import fc from "fast-check";
import { expect, it } from "vitest";
import { serverSentEvent } from "../../../src/http/streams/sse-stream.ts";
import { retryDelay } from "../../../web/src/connection/retry-delay.ts";
import { eventReader } from "../../../web/src/connection/server-sent-events.ts";

it("reads what the daemon writes, wherever it is cut", () => {
  const stream = `:\n\n${serverSentEvent("snapshot", { text: "a\nb" })}${serverSentEvent("recorded", { seq: 7 }, 7)}:\n\n`;
  fc.assert(
    fc.property(fc.array(fc.nat(stream.length), { maxLength: 6 }), (cuts) => {
      const places = [0, ...cuts.toSorted((a, b) => a - b), stream.length];
      const read = eventReader();
      const events = places.slice(1).flatMap((end, at) => read(stream.slice(places[at], end)));
      expect(events).toEqual([
        { name: "snapshot", data: '{"text":"a\\nb"}', id: undefined },
        { name: "recorded", data: '{"seq":7}', id: "7" },
      ]);
    }),
  );
});

it("waits longer with each failure, and never for long", () => {
  const waits = [0, 1, 2, 3, 9, 1000].map((failures) => retryDelay(failures, 1));
  expect(waits).toEqual([500, 1000, 2000, 4000, 15_000, 15_000]);
  expect(retryDelay(3, 0)).toBe(2000);
});
