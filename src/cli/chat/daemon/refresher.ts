/** Returns a function that loads something again. Calls while it is loading lead to one more load, not to many. */
export function refresher(load: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let again = false;
  const run = async (): Promise<void> => {
    do {
      again = false;
      await load();
    } while (again);
  };
  return () => {
    if (running !== undefined) again = true;
    else running = run().finally(() => (running = undefined));
    return running;
  };
}
