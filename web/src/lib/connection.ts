/** The browser's data about the visitor's connection. */

declare global {
  interface Navigator {
    /** Not in every browser. */
    connection?: { saveData?: boolean; effectiveType?: string };
  }
}

/** Whether nothing should be fetched before it is needed, because the visitor saves data or has a slow connection. */
export function isSparing(): boolean {
  const { connection } = navigator;
  return connection?.saveData === true || /2g/.test(connection?.effectiveType ?? '');
}
