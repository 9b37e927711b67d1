/** One event of a `text/event-stream`. */
export interface ServerSentEvent {
  readonly event: string;
  readonly data: string;
  /** The last id of the stream, perhaps of an earlier event; "" before the first. */
  readonly id: string;
}

const MAX_EVENT_LENGTH = 16 * 1024 * 1024;

/** Reads events from bytes that may be split anywhere. An unfinished event at the end of the stream is dropped. */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent, void> {
  const decoder = new TextDecoder();
  let rest = "";
  let event = "";
  let id = "";
  let data: string[] = [];
  for await (const bytes of body) {
    rest += decoder.decode(bytes, { stream: true });
    if (rest.length > MAX_EVENT_LENGTH) throw new RangeError("an event of the stream is too long");
    // A CR at the end may be half of a line end.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line === "") {
        if (data.length > 0) yield { event: event === "" ? "message" : event, data: data.join("\n"), id };
        event = "";
        data = [];
        continue;
      }
      const [, name, value = ""] = /^([^:]*)(?::[ ]?([^]*))?$/.exec(line) ?? [];
      if (name === "event") event = value;
      else if (name === "data") data.push(value);
      else if (name === "id" && !value.includes("\0")) id = value;
    }
  }
}
