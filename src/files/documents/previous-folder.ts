/** The folder with the revision of each document before its last write. */
export const PREVIOUS = ".previous";
