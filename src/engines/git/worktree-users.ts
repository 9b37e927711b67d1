/** Who works in which worktree now, and who did since its last commit: a commit of one may contain work of others. */
export interface WorktreeUsers {
  begin(folder: string, agent: string): Disposable;
  isInUse(folder: string): boolean;
  since(folder: string): readonly string[];
  committed(folder: string): void;
}

export function createWorktreeUsers(): WorktreeUsers {
  const uses = new Map<string, { readonly agent: string }[]>();
  const since = new Map<string, Set<string>>();
  const usesOf = (folder: string) => uses.get(folder) ?? [];
  return {
    begin(folder, agent) {
      const use = { agent };
      uses.set(folder, [...usesOf(folder), use]);
      since.set(folder, new Set([...(since.get(folder) ?? []), agent]));
      return {
        [Symbol.dispose]: () =>
          void uses.set(
            folder,
            usesOf(folder).filter((each) => each !== use),
          ),
      };
    },
    isInUse: (folder) => usesOf(folder).length > 0,
    since: (folder) => [...(since.get(folder) ?? [])],
    committed: (folder) => void since.set(folder, new Set(usesOf(folder).map(({ agent }) => agent))),
  };
}
