/** What the browser says of the visitor's line. */

declare global {
  interface Navigator {
    /** Not in every browser. */
    connection?: { saveData?: boolean; effectiveType?: string };
  }
}

/** Whether nothing is to be fetched before it is needed: the visitor saves data, or is on a slow line. */
export function isSparing(): boolean {
  const { connection } = navigator;
  return connection?.saveData === true || /2g/.test(connection?.effectiveType ?? '');
}
