/** `portolan.explain()` for whoever looks into a page with the browser's console; its code is fetched when it is called. */
export function offerExplain(): void {
  const explain = async () => (await import('./explain.ts')).explain();
  Object.assign(window, { portolan: { explain } });
}
