/** Repeated behaviour, found in the events. */
export interface BehaviourPatternReads {
  /** Documents written last, newest first. */
  documentsWritten(limit: number): Promise<{ readonly space: string; readonly file: string; readonly by: string }[]>;
}
