import { refuse } from "../../kernel/refusal.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import type { MemoryProblem, MemoryValue } from "../../ports/personal-context.ts";
import { MAX_DEPTH, toMemoryValue } from "./memory-file.ts";

/** What memory refuses, with the reason. */
type Refused = { readonly ok: false; readonly error: Refusal };

const MAX_VALUE_BYTES = 32 * 1024;
const MAX_KEY_BYTES = 200;

export function checkKey(key: string): Refused | undefined {
  const why =
    key.trim() === "" || key !== key.trim()
      ? "is empty or starts or ends with a space"
      : Buffer.byteLength(key) > MAX_KEY_BYTES
        ? `is longer than ${MAX_KEY_BYTES} bytes`
        : !key.isWellFormed() || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(key)
          ? "holds invisible characters"
          : key === "__proto__" || key === "<<"
            ? "has a special meaning"
            : undefined;
  if (why === undefined) return undefined;
  return refuse("invalid", `memory key ${JSON.stringify(key.slice(0, 80))} ${why}`, {
    hint: 'use a short name on one line, such as "review-style"',
  });
}

export function checkValue(key: string, value: MemoryValue): Refused | undefined {
  if (toMemoryValue(value, MAX_DEPTH - 1) === undefined) {
    return refuse("invalid", `the memory "${key}" is nested too deeply`, { hint: "remember it as plain text" });
  }
  if (Buffer.byteLength(JSON.stringify(value)) <= MAX_VALUE_BYTES) return undefined;
  return refuse("too_large", `the memory "${key}" is larger than ${MAX_VALUE_BYTES} bytes`, {
    hint: "remember the gist, and put the rest into a note or a document",
  });
}

export function refuseUnknown(keyOrId: string): Refused {
  return refuse("not_found", `There is no memory "${keyOrId.slice(0, 80)}".`, {
    hint: "Take the key or id from the list of memories.",
  });
}

export function refuseUnusable(file: string, problems: readonly MemoryProblem[]): Refused {
  const [problem] = problems;
  const place = problem?.line === null || problem === undefined ? file : `${file}:${problem.line}`;
  return refuse(
    "conflict",
    `memory/${place} cannot be read as YAML, so it is not written to: ${problem?.message ?? ""}`,
    {
      hint: "correct the file by hand, then try again; nothing in it was lost",
      details: { file, line: problem?.line ?? null },
    },
  );
}

export function refuseTangled(file: string, key: string): Refused {
  return refuse("conflict", `"${key}" in memory/${file} is tied to other entries of the file (anchors and aliases)`, {
    hint: "edit the file by hand",
  });
}
