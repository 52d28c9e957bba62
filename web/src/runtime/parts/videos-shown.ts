const SHOWN = 'data-show-video';

/** Resolves once videos may be mounted: `html[data-show-video]` says so (`show-video.ts`). */
export function videosShown(): Promise<void> {
  const root = document.documentElement;
  return new Promise((resolve) => {
    if (root.hasAttribute(SHOWN)) return resolve();
    const watch = new MutationObserver(() => {
      watch.disconnect();
      resolve();
    });
    watch.observe(root, { attributeFilter: [SHOWN] });
  });
}
