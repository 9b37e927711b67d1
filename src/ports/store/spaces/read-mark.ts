/** Up to which message a person has read a space. */
export interface ReadMark {
  readonly space: string;
  /** Sequence number of the last message that was read. */
  readonly seq: number;
}

export interface ReadMarkReads {
  /** All spaces in which the person has read something, ordered by space. */
  list(person: string): Promise<ReadMark[]>;
}

export interface ReadMarkWrites {
  /** Moves the mark of a space forward. Returns where it is: an earlier message does not move it back. */
  advance(space: string, person: string, seq: number): Promise<number>;
}
