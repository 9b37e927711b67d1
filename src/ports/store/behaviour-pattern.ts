/** What was done again and again, as the events tell. */
export interface BehaviourPatternReads {
  /** Documents written last, newest first. */
  documentsWritten(limit: number): Promise<{ readonly space: string; readonly file: string; readonly by: string }[]>;
}
