import { readFileSync } from "node:fs";
import { join } from "node:path";

const repository = join(import.meta.dirname, "../..");

/** A fenced block of a Markdown page. */
export interface Block {
  /** What stands after the fence: sh, yaml, js, ts. */
  readonly kind: string;
  readonly text: string;
  /** The file it shows, when its first line is a comment that names one. */
  readonly file: string | undefined;
}

export function documentBlocks(page: string): readonly Block[] {
  const text = readFileSync(join(repository, page), "utf8");
  return [...text.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(([, kind = "", body = ""]) => ({
    kind,
    text: body,
    file: /^(?:#|\/\/) (\S+\.(?:yaml|js|ts))\n/.exec(body)?.[1],
  }));
}
