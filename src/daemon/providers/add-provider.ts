import { mkdirSync, readFileSync, writeFileSync, existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { homeFolder } from "../../client/home.ts";
import { prepareHome } from "../../client/prepare-home.ts";
import { withoutProjectPrograms } from "../../client/search-path.ts";
import { findProvider, PROVIDERS } from "../../domain/agent/providers.ts";
import { runProcess } from "../../engines/process/run-process.ts";
import { findProviderPackage } from "../../engines/sdk/provider-packages.ts";
import { findProgram } from "../../engines/shared/find-program.ts";
import { systemClock } from "../../kernel/clock.ts";
import { hintForUnknown } from "../../kernel/closest.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { addedPackages } from "./package-places.ts";

export interface AddProviderResult {
  readonly provider: string;
  readonly package: string;
  /** Null when it is part of the program. */
  readonly version: string | null;
  readonly folder: string;
  readonly isPart: boolean;
}

interface AddParts {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The current folder, whose programs are not used. */
  readonly dir: string;
  readonly onProgress: (text: string) => void;
}

const TIMEOUT_MS = 5 * 60_000;
const MAX_CHARS = 2_000;

/**
 * Installs the package of a provider into the home with npm. No script of a package is run. The daemon looks for packages
 * when a run begins, so it needs no restart.
 */
export async function addProvider(name: string, parts: AddParts): Promise<Result<AddProviderResult, Refusal>> {
  const row = findProvider(name);
  if (row === undefined) {
    const names = PROVIDERS.map((each) => each.name);
    return refuse("not_found", `There is no provider "${name}".`, { hint: hintForUnknown(name, names, "providers") });
  }
  const home = homeFolder(parts.env);
  const folder = addedPackages(home);
  const added = { provider: row.name, package: row.package, folder };
  if (row.version === undefined) return ok({ ...added, version: null, isPart: true });
  const searchPath = withoutProjectPrograms(parts.env["PATH"] ?? "", parts.dir);
  const npm = await findProgram("npm", [dirname(process.execPath), searchPath].join(delimiter));
  const wanted = `${row.package}@${row.version}`;
  if (npm === null) {
    return refuse("unavailable", "npm was not found, which installs packages.", {
      hint: `Install it, or put the package into ${folder} yourself: npm install --prefix ${folder} ${wanted}`,
    });
  }
  prepareHome(home);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!existsSync(join(folder, "package.json"))) writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  parts.onProgress(`Installing ${wanted}...`);
  const failed = await install(npm, folder, wanted, { ...parts.env, PATH: searchPath });
  if (failed !== undefined) {
    return refuse("failed", `npm could not install ${wanted}.\n${failed}`, {
      hint: "Without a network or a registry, packages of the project and global ones are found too.",
    });
  }
  const found = findProviderPackage(row.package, { added: folder });
  if (found === undefined) return refuse("failed", `npm installed ${wanted}, and it cannot be loaded.`);
  return ok({ ...added, version: versionOf(join(folder, "node_modules", row.package)), isPart: false });
}

/** Returns the end of what npm printed when it failed. */
async function install(
  npm: string,
  folder: string,
  wanted: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  let output = "";
  const options = "--no-audit --no-fund --ignore-scripts --loglevel=error".split(" ");
  const end = await runProcess(
    systemClock,
    {
      program: npm,
      args: ["install", "--prefix", folder, ...options, wanted],
      cwd: folder,
      env: Object.fromEntries(
        Object.entries(env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
      ),
      timeoutMs: TIMEOUT_MS,
      onOutput: (text) => void (output = `${output}${text}`.slice(-MAX_CHARS)),
    },
    new AbortController().signal,
  );
  if (!end.started) return end.reason;
  return end.code === 0 ? undefined : output.trim();
}

function versionOf(folder: string): string | null {
  try {
    const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
      readonly version?: unknown;
    };
    return typeof version === "string" ? version : null;
  } catch {
    return null;
  }
}
