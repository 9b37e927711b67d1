/** The largest document a workspace stores. */
export const MAX_DOCUMENT_BYTES = 1024 * 1024;
