import { existsSync, renameSync, rmSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { loadProject } from "../../files/project/load-project.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { transferRows, type TransferResult } from "../../storage/transfer/transfer-rows.ts";
import { requireTrust } from "../trust/require-trust.ts";
import { storeUrl } from "./store-url.ts";

export interface StoreMove extends TransferResult {
  /** What the project file has to say now. */
  readonly setting: string;
  /** Where the old store is. */
  readonly old: string;
}

interface MoveRequest {
  readonly projectDir: string;
  /** `sqlite`, a URL, or `$NAME` for the variable that says it. */
  readonly to: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The person trusts the project as it is. */
  readonly trust: boolean;
  readonly now: number;
  readonly onProgress: (text: string) => void;
}

/** Moves the data of a project to another database. The old store is put aside, so that nobody goes on with it. */
export async function migrateStore(request: MoveRequest): Promise<Result<StoreMove, Refusal>> {
  const { projectDir, to, env } = request;
  const project = await loadProject(projectDir);
  const trusted = requireTrust(projectDir, project, request);
  if (!trusted.ok) return trusted;
  const { settings } = project;
  const file = isAbsolute(settings.store.path) ? settings.store.path : join(projectDir, settings.store.path);
  const isOnServer = settings.store.url !== undefined;
  if (isOnServer === (to !== "sqlite")) {
    return refuse(
      "conflict",
      isOnServer ? "The project is on a server already." : "The project is in a file already.",
      {
        hint: "The project file (moniro.yaml) says where it is: store",
      },
    );
  }
  if (isOnServer) return toFile(request, storeUrl(settings.store, projectDir, env), file);
  return toServer(request, storeUrl({ provider: "postgres", path: "", url: to }, projectDir, env), file);
}

async function toServer(request: MoveRequest, url: string, file: string): Promise<Result<StoreMove, Refusal>> {
  const { projectDir, now, to } = request;
  if (!existsSync(file)) return refuse("not_found", "The project has no data yet.", { hint: "Just set `store.url`." });
  const { openSqliteRows } = await import("../../storage/sqlite/sqlite-rows.ts");
  const { openWritablePostgresRows } = await import("../../storage/postgres/postgres-rows.ts");
  const { schema } = (await import("../../storage/postgres/server-settings.ts")).parseServerUrl(url);
  const report = await (async () => {
    await using source = openSqliteRows(file, projectDir, now);
    await using target = await openWritablePostgresRows(url, source.storeId, now);
    return await transferRows(source, target, request.onProgress);
  })();
  const old = freeName(`${file}.moved`);
  renameSync(file, old);
  for (const end of [".commits", ".lock", "-wal", "-shm"]) rmSync(`${file}${end}`, { force: true });
  return ok({ ...report, setting: `store: { url: ${shownTarget(to)}, schema: ${schema} }`, old });
}

async function toFile(request: MoveRequest, url: string, file: string): Promise<Result<StoreMove, Refusal>> {
  const { openWritableSqliteRows } = await import("../../storage/sqlite/sqlite-rows.ts");
  const { openPostgresRows } = await import("../../storage/postgres/postgres-rows.ts");
  await using source = await openPostgresRows(url, request.now);
  await using target = openWritableSqliteRows(file, request.projectDir, request.now);
  const report = await transferRows(source, target, request.onProgress);
  await source.markMoved();
  return ok({ ...report, setting: "no `store.url`", old: "the schema on the server" });
}

/** A URL with a password belongs into a variable. */
function shownTarget(to: string): string {
  return to.startsWith("$") ? to : "$DATABASE_URL";
}

function freeName(path: string): string {
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? path : `${path}-${n}`;
    if (!existsSync(name)) return name;
  }
}
