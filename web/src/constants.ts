/** The numbers of the specification, with the unit in every name. */

/** A chunk that failed is asked for once more, after this pause. */
export const CHUNK_RETRY_DELAY_MS = 1000;

/** Connections on which nothing is fetched before it is needed. */
export const SLOW_CONNECTION = /2g/;
