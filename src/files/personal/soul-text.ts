import { isSeq, parseDocument, YAMLMap } from "yaml";
import type { Document } from "yaml";
import { z } from "zod";
import type { LearnedSoul } from "../../domain/soul/learned-soul.ts";
import type { SoulChange } from "../../domain/soul/soul-change.ts";
import { NO_STATE, type SoulState, type SoulVersion } from "../../domain/soul/soul-history.ts";
import type { SoulReading } from "../../ports/soul-file.ts";
import { parseBoundedYaml } from "../yaml/bounded-yaml.ts";

/**
 * The text of `soul.yaml`: `learned`, which people may edit, and `versions`, the record of approved changes. A write
 * keeps comments and every list that did not change.
 */
const HEADER = ` What this agent has learned about itself, on top of the soul in its definition.
 Edit "learned" as you like: it counts at once. "versions" is the record of approved changes.`;

const MAX_ALIASES = 100;

const lists = z.record(z.string(), z.array(z.string()));
const change = z.union([
  z.strictObject({ add: z.string(), item: z.string() }),
  z.strictObject({ remove: z.string(), item: z.string() }),
  z.strictObject({ replace: z.string(), text: z.string() }),
  z.strictObject({ restore: z.string(), item: z.string().optional() }),
]);
const soulFile = z.strictObject({
  learned: z
    .strictObject({
      add: lists.nullish(),
      remove: lists.nullish(),
      replace: z.record(z.string(), z.string()).nullish(),
    })
    .nullish(),
  versions: z
    .array(
      z.strictObject({
        version: z.int().positive(),
        at: z.string(),
        by: z.string(),
        why: z.string(),
        evidence: z.array(z.string()).optional(),
        proposal: z.string().optional(),
        changes: z.array(change),
      }),
    )
    .nullish(),
});

type VersionFile = NonNullable<z.output<typeof soulFile>["versions"]>[number];

export function parseSoulFile(file: string, text: string): SoulReading {
  const unusable = (message: string, line?: number): SoulReading => ({
    state: NO_STATE,
    problem: `${line === undefined ? file : `${file}:${line}`} ${message}`,
    mistake: { line: line ?? 1, message },
  });
  const parsed = parseBoundedYaml(text.replace(/^\uFEFF/, ""));
  if (parsed.document === undefined) return unusable(parsed.message, parsed.line);
  let value: unknown;
  try {
    value = parsed.document.toJS({ maxAliasCount: MAX_ALIASES }) ?? {};
  } catch (error) {
    return unusable(error instanceof Error ? error.message : String(error));
  }
  const checked = soulFile.safeParse(value);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    return unusable(`in "${issue?.path.join(".") ?? ""}": ${issue?.message ?? "it is invalid"}`);
  }
  const versions = (checked.data.versions ?? []).map(toVersion);
  const disordered = versions.find(({ version }, index) => version <= (versions[index - 1]?.version ?? 0));
  if (disordered !== undefined) return unusable(`has version ${disordered.version} in the wrong place`);
  const { add, remove, replace } = checked.data.learned ?? {};
  return {
    state: { learned: { add: add ?? {}, remove: remove ?? {}, replace: replace ?? {} }, versions },
    problem: null,
    mistake: null,
  };
}

function toVersion({ evidence = [], proposal, changes, ...about }: VersionFile): SoulVersion {
  return { ...about, evidence, proposal: proposal ?? null, changes: changes.map(toChange) };
}

function toChange(written: z.output<typeof change>): SoulChange {
  if ("add" in written) return { kind: "add", trait: written.add, item: written.item };
  if ("remove" in written) return { kind: "remove", trait: written.remove, item: written.item };
  if ("replace" in written) return { kind: "replace", trait: written.replace, text: written.text };
  const { restore: trait, item } = written;
  return item === undefined ? { kind: "restore", trait } : { kind: "restore", trait, item };
}

/** Returns the new text. `before` is the old text, which must be valid; null when there is no file yet. */
export function formatSoulFile(before: string | null, state: SoulState): string {
  const document: Document = parseDocument(before ?? "");
  if (!(document.contents instanceof YAMLMap)) document.contents = document.createNode({});
  if (before === null) document.commentBefore = HEADER;
  const old = before === null ? NO_STATE : parseSoulFile("", before).state;
  writeLearned(document, old.learned, state.learned);
  const added = state.versions.slice(old.versions.length).map(versionNode);
  const versions = document.get("versions");
  if (isSeq(versions)) for (const version of added) versions.add(document.createNode(version));
  else document.set("versions", document.createNode(added));
  return document.toString({ lineWidth: 0 });
}

function writeLearned(document: Document, before: LearnedSoul, after: LearnedSoul): void {
  if (!(document.get("learned") instanceof YAMLMap)) document.set("learned", document.createNode({}));
  for (const part of ["add", "remove", "replace"] as const) {
    const was: Readonly<Record<string, unknown>> = before[part];
    const is: Readonly<Record<string, unknown>> = after[part];
    if (Object.keys(is).length === 0) {
      document.deleteIn(["learned", part]);
      continue;
    }
    if (!(document.getIn(["learned", part]) instanceof YAMLMap))
      document.setIn(["learned", part], document.createNode({}));
    for (const trait of Object.keys(was)) if (!(trait in is)) document.deleteIn(["learned", part, trait]);
    for (const [trait, value] of Object.entries(is)) {
      if (JSON.stringify(was[trait]) === JSON.stringify(value)) continue;
      document.setIn(["learned", part, trait], document.createNode(value));
    }
  }
}

function versionNode({ version, at, by, why, evidence, proposal, changes }: SoulVersion): VersionFile {
  return {
    version,
    at,
    by,
    why,
    ...(evidence.length === 0 ? {} : { evidence: [...evidence] }),
    ...(proposal === null ? {} : { proposal }),
    changes: changes.map(changeNode),
  };
}

function changeNode(each: SoulChange): z.output<typeof change> {
  switch (each.kind) {
    case "add":
      return { add: each.trait, item: each.item };
    case "remove":
      return { remove: each.trait, item: each.item };
    case "replace":
      return { replace: each.trait, text: each.text };
    case "restore":
      return each.item === undefined ? { restore: each.trait } : { restore: each.trait, item: each.item };
  }
}
