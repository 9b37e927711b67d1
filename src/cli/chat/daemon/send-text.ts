import type { Client } from "../../../client/client.ts";
import { isImageType } from "../../../domain/message/image.ts";
import { readFileContent } from "../../arguments/file-content.ts";
import { fileMessage } from "../../arguments/file-message.ts";
import { UsageError } from "../../arguments/usage-error.ts";

const { existsSync, statSync } = process.getBuiltinModule("node:fs");
const { resolve } = process.getBuiltinModule("node:path");

/** What became of a text that was sent: what the person should know, and whether it was accepted. */
export interface SentText {
  readonly accepted: boolean;
  readonly notes: readonly string[];
}

interface TextToSend {
  readonly to: string;
  readonly text: string;
  /** The same text is accepted once. */
  readonly key: string;
  /** Paths are relative to it. */
  readonly cwd: string;
  /** Names of the team: no files are meant by them. */
  readonly names: ReadonlySet<string>;
}

/** Sends a text. Files that it names by `@path` become resources of the space, as with `send --file`. */
export async function sendText(client: Client, { to, text, key, cwd, names }: TextToSend): Promise<SentText> {
  const notes: string[] = [];
  let message = text;
  const missing = quotedIn(text).find((path) => !isFile(resolve(cwd, path)));
  if (missing !== undefined) return { accepted: false, notes: [`There is no file "${missing}". Nothing was sent.`] };
  for (const path of filesIn(text, cwd, names)) {
    try {
      const { name, ...content } = readFileContent(path, cwd);
      const resource = await client.call("create-resource", { target: to, ...content });
      if (!resource.ok) return { accepted: false, notes: [refusalText(resource.error)] };
      message = fileMessage(message, name, resource.value);
      const { type, bytes } = resource.value;
      notes.push(isImageType(type) ? `Sent with ${name} (${type}, ${bytes} bytes).` : `Sent with ${name}.`);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return { accepted: false, notes: [error.message] };
    }
  }
  const sent = await client.call("send-message", { to, message, idempotencyKey: key });
  if (!sent.ok) return { accepted: false, notes: [refusalText(sent.error)] };
  const { recipients, warnings } = sent.value;
  const nobody = recipients.length === 0 && to.startsWith("@") ? ["It wakes nobody: call somebody with @NAME."] : [];
  return { accepted: true, notes: [...notes, ...warnings, ...nobody] };
}

export function refusalText({ message, hint }: { readonly message: string; readonly hint?: string }): string {
  return hint === undefined ? message : `${message} ${hint}`;
}

/** The paths after an @ that are files, and no names of the team; and those in quotes. */
function filesIn(text: string, cwd: string, names: ReadonlySet<string>): string[] {
  const words = [...text.matchAll(/(?<=^|\s)@([^\s"]+)/g)].map(([, word = ""]) => word.replace(/[.,;:!?)]+$/, ""));
  const files = words.filter((word) => !names.has(word) && isFile(resolve(cwd, word)));
  return [...new Set([...files, ...quotedIn(text)])];
}

/** The paths in `@"…"`: they can only be files. */
function quotedIn(text: string): string[] {
  return [...text.matchAll(/(?<=^|\s)@"([^"\n]+)"/g)].map(([, path = ""]) => path);
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}
