/**
 * What a person changed in an editor and did not save yet, by what is edited. It outlives the view: who leaves it and
 * comes back finds it again, also after a reload of the page in its own tab.
 */
export interface UnsavedEdits {
  get<T>(key: string): T | undefined;
  keep(key: string, edit: unknown): void;
  drop(key: string): void;
}

function createUnsavedEdits(project: string): UnsavedEdits {
  const item = `agent-worker.edits.${project}`;
  const byKey = new Map<string, unknown>(readStored(item));
  const store = (): void => {
    try {
      sessionStorage.setItem(item, JSON.stringify([...byKey]));
    } catch {
      // A full or forbidden storage costs only what a reload would keep.
    }
  };
  return {
    get: <T>(key: string) => byKey.get(key) as T | undefined,
    keep(key, edit) {
      byKey.set(key, edit);
      store();
    },
    drop(key) {
      if (byKey.delete(key)) store();
    },
  };
}

function readStored(item: string): [string, unknown][] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(item) ?? "[]");
    return Array.isArray(stored) ? (stored as [string, unknown][]) : [];
  } catch {
    return [];
  }
}

const byProject = new Map<string, UnsavedEdits>();

/** Returns those of a project: the same ones when the person comes back to it. */
export function unsavedEditsOf(project: string): UnsavedEdits {
  const edits = byProject.get(project) ?? createUnsavedEdits(project);
  byProject.set(project, edits);
  return edits;
}

/** A text that is not saved, and the revision that it was begun from. */
export interface UnsavedText {
  readonly text: string;
  readonly revision: string | null;
}

export const keyOfFile = (file: string): string => `file ${file}`;
export const keyOfFields = (name: string, operation: string): string => `fields ${operation} ${name}`;
export const keyOfDocument = (space: string, file: string): string => `document ${space} ${file}`;
