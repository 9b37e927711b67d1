/** Whether the work of a project is held: a person stopped everything, and has not gone on with this project yet. */
export interface WorkHold {
  isHeld(dir: string): boolean;
  /** A person goes on with one project. */
  goOn(dir: string): void;
  goOnEverywhere(): void;
  /** Calls the listener once, when a held project goes on. */
  whenGoingOn(dir: string, listener: () => void): Disposable;
}
