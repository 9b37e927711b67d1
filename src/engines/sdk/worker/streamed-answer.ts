import { wrapLanguageModel, type LanguageModel, type LanguageModelMiddleware } from "ai";
import { WorkerFailure } from "./failure-report.ts";

type WrapGenerate = NonNullable<LanguageModelMiddleware["wrapGenerate"]>;
type ModelStream = Awaited<ReturnType<Parameters<WrapGenerate>[0]["doStream"]>>["stream"];
type Generated = Awaited<ReturnType<WrapGenerate>>;
type Content = Generated["content"][number];
type TextContent = Extract<Content, { type: "text" | "reasoning" }>;
export type AnswerPart = ModelStream extends ReadableStream<infer Part> ? Part : never;

/**
 * Returns the model so that it streams its answer also when it is asked for a whole one. `see` is called with each part as
 * it comes, and awaited, so that a slow reader slows the model down. The functions of the SDK that stream pass each part
 * through half a dozen streams, which costs more than the request itself; the one that does not stream does everything
 * else in the same way.
 */
export function streamedModel(
  model: Exclude<LanguageModel, string>,
  see: (part: AnswerPart) => Promise<void>,
): LanguageModel {
  const wrapGenerate: WrapGenerate = async ({ doStream }) => collect((await doStream()).stream, see);
  return wrapLanguageModel({ model, middleware: { specificationVersion: "v4", wrapGenerate } });
}

/** Reads the stream to its end, also after an error in it. An answer without an end is a failure. */
async function collect(stream: ModelStream, see: (part: AnswerPart) => Promise<void>): Promise<Generated> {
  const content: Content[] = [];
  const texts = new Map<string, TextContent>();
  let warnings: Generated["warnings"] = [];
  let finish: Extract<AnswerPart, { type: "finish" }> | undefined;
  let failure: { readonly error: unknown } | undefined;

  for await (const part of stream) {
    if (failure !== undefined) continue;
    switch (part.type) {
      case "text-start":
      case "text-delta":
      case "text-end":
      case "reasoning-start":
      case "reasoning-delta":
      case "reasoning-end": {
        const type = part.type.startsWith("text") ? "text" : "reasoning";
        const key = `${type} ${part.id}`;
        const text: TextContent = texts.get(key) ?? { type, text: "" };
        if (!texts.has(key)) content.push(text);
        texts.set(key, text);
        if ("delta" in part) text.text += part.delta;
        if (part.providerMetadata !== undefined) text.providerMetadata = part.providerMetadata;
        if (part.type.endsWith("end")) texts.delete(key);
        break;
      }
      case "finish":
        finish = part;
        break;
      case "error":
        failure = { error: part.error };
        break;
      case "stream-start":
        warnings = part.warnings;
        break;
      case "tool-input-start":
      case "tool-input-delta":
      case "tool-input-end":
      case "response-metadata":
      case "ping":
      case "raw":
        break;
      default:
        content.push(part);
    }
    if (failure === undefined) await see(part);
  }
  if (failure !== undefined) throw failure.error;
  if (finish === undefined) throw new WorkerFailure({ message: "The answer was cut off before its end." });
  const { finishReason, usage, providerMetadata } = finish;
  return { content, finishReason, usage, warnings, ...(providerMetadata === undefined ? {} : { providerMetadata }) };
}
