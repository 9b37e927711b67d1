import fc from "fast-check";
import { expect, it } from "vitest";
import { readEvents, type ServerSentEvent } from "../../../src/client/transport/server-sent-events.ts";
import { runs } from "../../property.ts";

async function read(pieces: readonly Uint8Array[]): Promise<ServerSentEvent[]> {
  const body = (async function* () {
    yield* pieces;
  })();
  const events: ServerSentEvent[] = [];
  for await (const event of readEvents(body)) events.push(event);
  return events;
}

const TEXT = [
  ": a comment\n\n",
  'id: 7\nevent: message\ndata: {"text":"naïve 🦊"}\n\n',
  "data: one\r\ndata:two\r\n\r\n",
  "event: alone\n\n",
  "retry: 10\nid\ndata\n\n",
  "data: a: b\rdata: c\r\r",
  "data: unfinished\n",
].join("");

const EVENTS = [
  { event: "message", data: '{"text":"naïve 🦊"}', id: "7" },
  { event: "message", data: "one\ntwo", id: "7" },
  { event: "message", data: "", id: "" },
  { event: "message", data: "a: b\nc", id: "" },
];

it("reads the same events wherever the stream is cut, in a character or in a line end", async () => {
  const bytes = Buffer.from(TEXT);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 12 }), async (cuts) => {
      const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
      const pieces = places.slice(1).map((end, n) => bytes.subarray(places[n], end));
      expect(await read(pieces)).toEqual(EVENTS);
    }),
    runs(300),
  );
});

it("gives up on an event that never ends", async () => {
  const piece = Buffer.alloc(4 * 1024 * 1024, "x");
  await expect(read([Buffer.from("data: "), piece, piece, piece, piece, piece])).rejects.toThrow("too long");
});
