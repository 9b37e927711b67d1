import { NO_STATE } from "../../domain/soul/soul-history.ts";
import { refuseSize } from "../../files/confined-path.ts";
import { MAX_SOUL_BYTES, SOUL_FILE } from "../../files/personal/soul.ts";
import { formatSoulFile, parseSoulFile } from "../../files/personal/soul-text.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import type { SoulFile, SoulReading } from "../../ports/soul-file.ts";
import type { StoreAreaParts } from "./store-area.ts";

const NOTHING: SoulReading = { state: NO_STATE, problem: null, mistake: null };

/**
 * `soul.yaml` of an agent as a row of the store. `read` is asked inside transactions, which must not wait for another read:
 * it returns what `refresh` read last. Prompts and changes refresh first.
 */
export function createStoreSoul({ store, agent, now, newId }: Omit<StoreAreaParts, "folder">): SoulFile {
  const place = { agent, folder: "", name: SOUL_FILE };
  let known: { readonly stamp: string | null; readonly text: string | null; readonly reading: SoulReading } = {
    stamp: null,
    text: null,
    reading: NOTHING,
  };
  const refresh = async (): Promise<void> => {
    const found = await store.read(({ personalFiles }) => personalFiles.find(place));
    if (found === undefined) known = { stamp: null, text: null, reading: NOTHING };
    else if (found.stamp !== known.stamp) {
      known = { stamp: found.stamp, text: found.content, reading: parseSoulFile(SOUL_FILE, found.content) };
    }
  };

  return {
    read: () => known.reading,
    refresh,
    async stage(next) {
      await refresh();
      const { stamp, text, reading } = known;
      if (reading.problem !== null) {
        return refuse("conflict", `The soul cannot be used: ${reading.problem}`, {
          hint: `Correct it: agent-worker context export ${agent}, then context import ${agent} --overwrite`,
        });
      }
      const state = next(reading.state);
      if (!state.ok) return state;
      const written = formatSoulFile(text, state.value);
      if (Buffer.byteLength(written) > MAX_SOUL_BYTES) return refuseSize(SOUL_FILE, MAX_SOUL_BYTES);
      return ok({
        state: state.value,
        async publish({ personalFiles }) {
          const current = await personalFiles.find(place);
          if ((current?.stamp ?? null) !== stamp) {
            return refuse("stale_revision", "The soul was changed at this moment.", { hint: "Try again." });
          }
          await personalFiles.put(place, written, { id: newId(), at: now() });
          return ok(undefined);
        },
        discard: () => {},
      });
    },
  };
}
