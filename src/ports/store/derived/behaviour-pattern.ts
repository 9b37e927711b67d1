/** Repeated behaviour, found in the events. */
export interface BehaviourPatternReads {
  /** Documents written last, newest first. */
  documentsWritten(limit: number): Promise<{ readonly space: string; readonly file: string; readonly by: string }[]>;
  /** Who wrote which revision of a document, as far as the events are kept; newest first. */
  writersOf(space: string, file: string): Promise<{ readonly revision: string; readonly by: string }[]>;
}
