import type { MessageView } from "../../../contract/messages.ts";
import { EXIT } from "../../../contract/service/errors.ts";
import { oneOf } from "../../arguments/one-of.ts";
import { EARLIER } from "../../arguments/option.ts";
import { wholeNumber } from "../../arguments/whole-number.ts";
import { defineCommand } from "../../command.ts";
import type { Invocation } from "../../invocation.ts";
import { countOf } from "../../output/count-of.ts";
import { visibleText } from "../../output/visible-text.ts";
import { fileSink, terminalSink } from "./export-sink.ts";
import { readResource } from "./read-resource.ts";

const FORMATS = ["md", "json"] as const;
/** The most messages that the daemon returns at once. */
const PAGE = 500;

export const exportTranscript = defineCommand({
  about:
    "Writes down everything that was said in a workspace, or in direct messages with an agent, from the beginning.",
  words: ["TARGET"],
  options: {
    format: { value: "FORMAT", about: "md or json (md)" },
    output: { short: "o", value: "FILE", about: "Write to a file, which is replaced as a whole" },
    earlier: EARLIER,
  },
  examples: ["agent-worker export @review > review.md", "agent-worker export alice --format json -o alice.json"],

  async run({ words: [target = ""], options, json, terminal, call, print }) {
    const { format, output } = options;
    const earlier = wholeNumber("--earlier", options.earlier);
    const chosen = oneOf("--format", format, FORMATS) ?? (json ? "json" : "md");
    const { head, between, tail, text } = chosen === "json" ? asJson(target) : asMarkdown(target);
    // The first page is read before anything is written, so that a refusal leaves no file.
    const pages = readPages(call, { target, earlier });
    let page = await pages.next();
    await using sink = output === undefined ? terminalSink(terminal) : await fileSink(output, terminal);
    let count = 0;
    await sink.write(head);
    for (; page.done !== true; page = await pages.next()) {
      for (const message of page.value) {
        const content = message.resource === null ? message.content : await wholeContent(call, message.resource);
        await sink.write(`${count === 0 ? "" : between}${text({ ...message, content })}`);
        count += 1;
      }
    }
    await sink.write(tail);
    await sink.finish();
    if (output === undefined) return EXIT.ok;
    return print({ file: output, messages: count }, `Wrote ${countOf(count, "message")} to ${output}.\n`);
  },
});

async function* readPages(
  call: Invocation["call"],
  place: { readonly target: string; readonly earlier: number | undefined },
): AsyncGenerator<readonly MessageView[]> {
  for (let since = 0; ;) {
    const { messages } = await call("peek-channel", { ...place, since, limit: PAGE });
    yield messages;
    const last = messages.at(-1);
    if (last === undefined || messages.length < PAGE) return;
    since = last.seq;
  }
}

async function wholeContent(call: Invocation["call"], id: string): Promise<string> {
  let content = "";
  for await (const part of readResource(call, id)) content += part.content;
  return content;
}

interface Format {
  readonly head: string;
  readonly between: string;
  readonly tail: string;
  text(message: MessageView): string;
}

function asJson(target: string): Format {
  return {
    head: `{"target":${visibleText(JSON.stringify(target))},"messages":[`,
    between: ",\n",
    tail: "]}\n",
    text: (message) => visibleText(JSON.stringify(message)),
  };
}

function asMarkdown(target: string): Format {
  return {
    head: `# ${target}\n\n`,
    between: "",
    tail: "",
    text({ from, to, at, kind, content }) {
      const addressee = to === null ? "" : ` to ${to}`;
      const remark = kind === "message" ? "" : ` (${kind})`;
      return `## ${from}${addressee}${remark}, ${at}\n\n${content.trimEnd()}\n\n`;
    },
  };
}
