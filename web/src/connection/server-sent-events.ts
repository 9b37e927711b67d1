/** Reads a stream of server-sent events, cut anywhere, as the daemon writes them. */
export interface ServerSentEvent {
  readonly name: string;
  readonly data: string;
  readonly id: string | undefined;
}

/** Takes the next piece of the stream; answers the events that are whole by then. */
export function eventReader(): (piece: string) => ServerSentEvent[] {
  let rest = "";
  return (piece) => {
    rest += piece;
    const blocks = rest.split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? "";
    return blocks.flatMap((block) => readBlock(block));
  };
}

function readBlock(block: string): ServerSentEvent[] {
  const fields = block.split(/\r?\n/).flatMap((line) => {
    const [, name = "", value = ""] = /^([a-z]+):? ?(.*)$/su.exec(line) ?? [];
    return name === "" ? [] : [[name, value] as const];
  });
  const data = fields.filter(([name]) => name === "data").map(([, value]) => value);
  if (data.length === 0) return [];
  const last = (wanted: string): string | undefined => fields.findLast(([name]) => name === wanted)?.[1];
  return [{ name: last("event") ?? "message", data: data.join("\n"), id: last("id") }];
}
