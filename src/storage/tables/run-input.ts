import { hash } from "node:crypto";
import type { RunInputReads, RunInputWrites, StoredPiece } from "../../ports/store/run-input.ts";
import type { Connection, WriteConnection } from "../connection.ts";

/** The day of what an earlier program stored: its prompt is the text itself. */
const EARLIER = 0;
const DAY_MS = 86_400_000;
/** 132 bits, in characters that JSON does not escape. */
const HASH_LENGTH = 22;

export function runInputReads(db: Connection): RunInputReads {
  const select = db.get(
    `SELECT i.day, s.content AS system, t.content AS tools, i.prompt, f.transcript
     FROM run_input i JOIN prompt_part s ON s.day = i.day AND s.hash = i.system
       JOIN prompt_part t ON t.day = i.day AND t.hash = i.tools
       JOIN step f ON f.run = i.run AND f.number = 1
     WHERE i.run = ?`,
  );
  const selectPart = db.get("SELECT content FROM prompt_part WHERE day = ? AND hash = ?");
  const join = async (day: number, stored: string): Promise<string> => {
    let text = "";
    for (const part of JSON.parse(stored) as (string | string[])[]) {
      if (typeof part === "string") text += part;
      else for (const key of part) text += (await selectPart(day, key))?.["content"] as string;
    }
    return text;
  };
  return {
    async prompt(run) {
      const row = await select(run);
      if (row === undefined) return null;
      const { day, prompt } = row as { day: number; prompt: string | null };
      return {
        system: row["system"] as string,
        tools: row["tools"] as string,
        prompt: prompt === null || day === EARLIER ? prompt : await join(day, prompt),
        firstTranscript: row["transcript"] as string,
      };
    },
  };
}

export function runInputWrites(db: WriteConnection): RunInputWrites {
  const insertPart = db.write("INSERT INTO prompt_part (day, hash, content) VALUES (?, ?, ?) ON CONFLICT DO NOTHING");
  const upsert = db.write(
    `INSERT INTO run_input (run, day, system, tools, prompt) VALUES (?, ?, ?, ?, ?) ON CONFLICT (run)
     DO UPDATE SET day = excluded.day, system = excluded.system, tools = excluded.tools, prompt = excluded.prompt`,
  );
  const stored = createStoredTexts();
  db.onUndo(stored.forget);
  const storeText = async (day: number, text: string): Promise<string> => {
    const known = stored.find(day, text);
    if (known !== undefined) return known;
    const key = hash("sha256", text, "base64url").slice(0, HASH_LENGTH);
    await insertPart(day, key, text);
    stored.add(day, text, key);
    return key;
  };
  const storePieces = async (day: number, pieces: readonly StoredPiece[]): Promise<string> => {
    const parts: (string | string[])[] = [];
    let text = "";
    for (const piece of pieces) {
      if (!piece.shared) {
        text += piece.text;
        continue;
      }
      const key = await storeText(day, piece.text);
      const last = parts.at(-1);
      if (text === "" && Array.isArray(last)) last.push(key);
      else parts.push(...(text === "" ? [] : [text]), [key]);
      text = "";
    }
    return JSON.stringify(text === "" ? parts : [...parts, text]);
  };
  return {
    async storePrompt(run, { system, tools, prompt }, at) {
      const day = Math.floor(at / DAY_MS);
      const [ofSystem, ofTools] = [await storeText(day, system), await storeText(day, tools)];
      await upsert(run, day, ofSystem, ofTools, prompt === null ? null : await storePieces(day, prompt));
    },
  };
}

const MOST_CHARS = 8_000_000;

/** Which texts of a day are stored, so that they are not written and not even hashed again. */
function createStoredTexts() {
  const keys = new Map<string, string>();
  let current = EARLIER;
  let chars = 0;
  const forget = (): void => {
    keys.clear();
    chars = 0;
  };
  return {
    forget,
    find: (day: number, text: string): string | undefined => (day === current ? keys.get(text) : undefined),
    add(day: number, text: string, key: string): void {
      if (day !== current || chars + text.length > MOST_CHARS) forget();
      current = day;
      chars += text.length;
      keys.set(text, key);
    },
  };
}

/** Removes what a run was given, and the texts of its day when no run of that day is left. */
export function runInputRemover(db: WriteConnection): (run: string, now: number) => Promise<void> {
  const select = db.get("SELECT day FROM run_input WHERE run = ?");
  const remove = db.write("DELETE FROM run_input WHERE run = ?");
  const selectOther = db.get("SELECT 1 FROM run_input WHERE day = ? LIMIT 1");
  const removeTexts = db.write("DELETE FROM prompt_part WHERE day = ?");
  return async (run, now) => {
    const day = (await select(run))?.["day"] as number | undefined;
    if (day === undefined) return;
    await remove(run);
    // Whoever stores prompts today relies on the texts that are there. Clocks of nodes differ by less than a day.
    const isOver = day < Math.floor(now / DAY_MS) - 1;
    if (isOver && (await selectOther(day)) === undefined) await removeTexts(day);
  };
}
