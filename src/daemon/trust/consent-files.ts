import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Consent } from "../../domain/trust/consent.ts";
import { writePrivateFile } from "../../files/private-file.ts";

/**
 * The consents of a person, in the home: one file for each project, named by a hash of the project's real path. A project
 * cannot write there, and a copy of a project at another path is another project.
 */
export interface ConsentFiles {
  /** Undefined for a project that nobody trusted, or whose file cannot be read. */
  read(projectDir: string): Consent | undefined;
  write(projectDir: string, consent: Consent): void;
  /** False when there was none. */
  remove(projectDir: string): boolean;
  list(): readonly TrustedProject[];
}

export interface TrustedProject {
  readonly dir: string;
  readonly consent: Consent;
}

const FOLDER = "trust";

const list = z.array(z.string());
const rights = z.object({
  mode: z.enum(["virtual", "project", "host"]).optional(),
  allow: list.optional(),
  ask: list.optional(),
  deny: list.optional(),
  tools: list.optional(),
});
const consentFile = z.object({
  dir: z.string(),
  always: z.boolean(),
  owners: z.record(z.string(), z.object({ powers: list, rights })),
  store: z.string().nullable(),
});

export function openConsentFiles(home: string): ConsentFiles {
  const folder = join(home, FOLDER);
  const fileOf = (dir: string): string =>
    join(folder, `${createHash("sha256").update(dir).digest("hex").slice(0, 32)}.json`);
  return {
    read(projectDir) {
      const found = readConsent(fileOf(projectDir));
      return found?.dir === projectDir ? found.consent : undefined;
    },
    write(projectDir, consent) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writePrivateFile(fileOf(projectDir), `${JSON.stringify({ dir: projectDir, ...consent }, null, 2)}\n`);
    },
    remove(projectDir) {
      const known = readConsent(fileOf(projectDir)) !== undefined;
      rmSync(fileOf(projectDir), { force: true });
      return known;
    },
    list: () =>
      namesIn(folder)
        .flatMap((name) => readConsent(join(folder, name)) ?? [])
        .toSorted((a, b) => (a.dir < b.dir ? -1 : 1)),
  };
}

function readConsent(path: string): TrustedProject | undefined {
  try {
    const { dir, ...consent } = consentFile.parse(JSON.parse(readFileSync(path, "utf8")));
    return { dir, consent: consent as Consent };
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".json"));
  } catch {
    return [];
  }
}
