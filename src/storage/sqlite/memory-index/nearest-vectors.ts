import { createRequire } from "node:module";
import type { QuestionVector } from "../../../ports/memory-index.ts";
import type { Database } from "../connection.ts";
import type { OpenIndex } from "./memory-index-file.ts";
import type { TimeSlicer } from "./time-slicer.ts";

/**
 * Finds the texts whose vectors point the same way as that of the question. All vectors of the agent are compared, a few
 * at a time, so that others go on meanwhile. sqlite-vec computes the distances where it can be loaded; elsewhere this file
 * does, which takes longer.
 */
const AT_ONCE = 128;
/** Below this similarity texts have nothing to do with each other, whatever the model. */
const LEAST_SIMILARITY = 0.25;
/**
 * Some models call all texts similar: among many, a text must be this many standard deviations above the mean, or in the
 * upper part between the mean and the most similar one.
 */
const DEVIATIONS = 1.5;
const UPPER_PART = 0.6;
const MANY = 20;

interface Similar {
  readonly rowid: number;
  readonly similarity: number;
}

/** Returns the ids of the nearest texts, the nearest first. */
export async function findNearest(
  index: OpenIndex,
  agent: number,
  { model, vector }: QuestionVector,
  limit: number,
  slicer: TimeSlicer,
): Promise<number[]> {
  const compare = loadVectorFunctions(index.db) ? compareInSqlite(index, vector) : compareHere(index, vector);
  const found: Similar[] = [];
  let [count, sum, squares] = [0, 0, 0];
  for (let last = 0; ;) {
    const part = compare(agent, model, last);
    for (const { rowid, similarity } of part) {
      count += 1;
      sum += similarity;
      squares += similarity * similarity;
      if (similarity >= LEAST_SIMILARITY) found.push({ rowid, similarity });
      last = rowid;
    }
    if (part.length < AT_ONCE) break;
    await slicer.next();
  }
  const mean = sum / Math.max(1, count);
  const deviation = Math.sqrt(Math.max(0, squares / Math.max(1, count) - mean * mean));
  const most = found.reduce((highest, { similarity }) => Math.max(highest, similarity), mean);
  const least = count < MANY ? LEAST_SIMILARITY : mean + Math.min(DEVIATIONS * deviation, UPPER_PART * (most - mean));
  return found
    .filter(({ similarity }) => similarity >= least)
    .toSorted((a, b) => b.similarity - a.similarity)
    .slice(0, limit)
    .map(({ rowid }) => rowid);
}

/** Compares the next vectors after an id. */
type Compare = (agent: number, model: string, after: number) => readonly Similar[];

function compareInSqlite({ statements }: OpenIndex, vector: Float32Array): Compare {
  const bytes = bytesOf(vector);
  return (agent, model, after) =>
    statements
      .distances(bytes, agent, model, bytes.byteLength, after, AT_ONCE)
      .map(([rowid, distance]) => ({ rowid: Number(rowid), similarity: 1 - Number(distance ?? 1) }));
}

function compareHere({ statements }: OpenIndex, vector: Float32Array): Compare {
  const bytes = bytesOf(vector);
  const length = Math.hypot(...vector);
  return (agent, model, after) =>
    statements.vectors(agent, model, bytes.byteLength, after, AT_ONCE).map(([rowid, data]) => {
      const other = toVector(data);
      let [product, squares] = [0, 0];
      for (const [position, value] of other.entries()) {
        product += value * (vector[position] ?? 0);
        squares += value * value;
      }
      return { rowid: Number(rowid), similarity: product / Math.max(Number.EPSILON, length * Math.sqrt(squares)) };
    });
}

export function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** The bytes of a row may begin anywhere: they are copied. */
function toVector(data: unknown): Float32Array {
  return data instanceof Uint8Array ? new Float32Array(Uint8Array.from(data).buffer) : new Float32Array();
}

const LOADED = new WeakMap<Database, boolean>();

/** Loads sqlite-vec into the database at its first use. False where it is not installed or does not fit this system. */
function loadVectorFunctions(db: Database): boolean {
  const known = LOADED.get(db);
  if (known !== undefined) return known;
  let loaded = false;
  try {
    const { getLoadablePath } = createRequire(import.meta.url)("sqlite-vec") as { getLoadablePath(): string };
    db.enableLoadExtension(true);
    db.loadExtension(getLoadablePath());
    loaded = true;
  } catch {
    // An optional dependency: without it the vectors are compared here.
  } finally {
    db.enableLoadExtension(false);
  }
  LOADED.set(db, loaded);
  return loaded;
}
