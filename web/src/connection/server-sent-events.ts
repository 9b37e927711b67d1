/** An event of a server-sent event stream. */
export interface ServerSentEvent {
  readonly name: string;
  readonly data: string;
  readonly id: string | undefined;
}

/** Returns a parser that gets the next chunk of the stream, cut anywhere, and returns the events that are complete. */
export function eventReader(): (chunk: string) => ServerSentEvent[] {
  let rest = "";
  return (chunk) => {
    rest += chunk;
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
  const last = (field: string): string | undefined => fields.findLast(([name]) => name === field)?.[1];
  return [{ name: last("event") ?? "message", data: data.join("\n"), id: last("id") }];
}
