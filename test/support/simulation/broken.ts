/** An invariant does not hold. */
class Broken extends Error {
  constructor(message: string) {
    super(message);
    this.name = "Broken";
  }
}

export function must(holds: boolean, message: () => string): asserts holds {
  if (!holds) throw new Broken(message());
}
