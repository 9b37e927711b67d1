import { MAX_DOCUMENT_BYTES } from "../../domain/workspace/document-size.ts";
import { closest } from "../../kernel/closest.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { DocumentRules, Documents, PublishTerms, StagedDocument } from "../../ports/documents.ts";
import type { Connection, Row, WriteConnection } from "../connection.ts";

export function documentTable(reader: Connection, writer: WriteConnection) {
  return {
    selectAll: reader.all(
      "SELECT file, octet_length(content) AS bytes, updated_at FROM document WHERE space = ? ORDER BY file",
    ),
    selectOne: reader.get("SELECT content, previous FROM document WHERE space = ? AND file_key = ? AND file = ?"),
    selectCurrent: writer.get("SELECT file, content, revision FROM document WHERE space = ? AND file_key = ?"),
    upsert: writer.run(
      `INSERT INTO document (space, file, file_key, content, revision, previous, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (space, file_key) DO UPDATE SET previous = document.content, content = excluded.content,
         revision = excluded.revision, updated_at = excluded.updated_at`,
    ),
  };
}

export type DocumentTable = ReturnType<typeof documentTable>;

/** Documents in the store (`documents: sqlite`). `tableOf` is called inside a transaction. */
export function storeDocuments(
  read: <T>(space: string, work: (table: DocumentTable) => Promise<T>) => Promise<T>,
  tableOf: (space: string) => Promise<DocumentTable>,
  rules: DocumentRules,
): (space: string) => Documents {
  return (space) => {
    const list: Documents["list"] = () =>
      read(space, async ({ selectAll }) => {
        return (await selectAll(space)).map((row) => ({
          file: row["file"] as string,
          bytes: row["bytes"] as number,
          modifiedMs: row["updated_at"] as number,
        }));
      });

    const readColumn = async (file: string, column: "content" | "previous") => {
      const name = rules.checkName(file);
      if (!name.ok) return name;
      const row = await read(space, async ({ selectOne }) => selectOne(space, keyOf(name.value), name.value));
      const content = row?.[column];
      if (typeof content === "string") return ok({ content, revision: rules.revisionOf(content) });
      const existing = (await list()).map((each) => each.file);
      return refuse("not_found", `there is no document "${name.value}"`, {
        hint: hintFor(name.value, existing),
        details: { documents: existing },
      });
    };

    const publish = async (file: string, content: string, revision: string, terms: PublishTerms) => {
      const { selectCurrent, upsert } = await tableOf(space);
      const current = await selectCurrent(space, keyOf(file));
      const refused = checkTerms(file, current, terms);
      if (refused !== undefined) return refused;
      if (current?.["revision"] !== revision) {
        await upsert(space, file, keyOf(file), content, revision, null, rules.now());
      }
      return ok({ revision });
    };

    return {
      list,
      read: (file) => readColumn(file, "content"),
      readPrevious: (file) => readColumn(file, "previous"),
      async history(file) {
        const current = await readColumn(file, "content");
        if (!current.ok) return current;
        const previous = await readColumn(file, "previous");
        if (!previous.ok) return ok([]);
        const { content, revision } = previous.value;
        const modifiedMs = (await list()).find((each) => each.file === file)?.modifiedMs ?? 0;
        return ok([{ revision, modifiedMs, bytes: Buffer.byteLength(content) }]);
      },
      async readRevision(file, revision) {
        const current = await readColumn(file, "content");
        if (!current.ok || current.value.revision === revision) return current;
        const previous = await readColumn(file, "previous");
        if (previous.ok && previous.value.revision === revision) return previous;
        return refuse("not_found", `"${file}" has no revision ${revision.slice(0, 64)} that is kept`);
      },
      async stage(file, content): Promise<Result<StagedDocument, Refusal>> {
        const name = rules.checkName(file);
        if (!name.ok) return name;
        if (Buffer.byteLength(content) > MAX_DOCUMENT_BYTES) {
          return refuse("too_large", `"${name.value}" would be larger than ${MAX_DOCUMENT_BYTES} bytes`);
        }
        const revision = rules.revisionOf(content);
        return ok({
          revision,
          publish: (terms = {}) => publish(name.value, content, revision, terms),
          discard: () => {},
        });
      },
    };
  };
}

function checkTerms(file: string, current: Row | undefined, terms: PublishTerms) {
  const existing = current?.["file"] as string | undefined;
  if (existing !== undefined && existing !== file) {
    return refuse("conflict", `"${file}" and the existing "${existing}" differ only by case`, {
      hint: `write to "${existing}", or choose another name`,
    });
  }
  if (terms.mustNotExist === true && current !== undefined) {
    return refuse("conflict", `there is a document "${file}" already`, { hint: "write to it, or choose another name" });
  }
  if (terms.expectRevision !== undefined && terms.expectRevision !== (current?.["revision"] ?? null)) {
    const before = terms.expectRevision === null ? "missing" : `at revision ${terms.expectRevision.slice(0, 64)}`;
    return refuse("stale_revision", `"${file}" is no longer ${before}`, {
      hint: "read it again and apply your change to what is there now",
      details: { revision: current?.["revision"] ?? null },
    });
  }
  return undefined;
}

function hintFor(file: string, existing: readonly string[]): string {
  if (existing.length === 0) return "there are no documents yet";
  const likely = closest(file, existing);
  return likely === undefined ? `documents: ${existing.slice(0, 20).join(", ")}` : `did you mean "${likely}"?`;
}

function keyOf(file: string): string {
  return file.toLowerCase();
}
