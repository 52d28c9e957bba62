/** The parts of the page runtime, by the element that they run on. Without React. */
import { whenLoaded } from '../runtime/loaded.ts';
import type { PartLoaders } from '../runtime/parts.ts';
import { touched } from '../runtime/touched.ts';
import { videosShown } from '../runtime/videos-shown.ts';

export const PARTS: PartLoaders = {
  '[data-header]': async () => (await import('../features/header/browser/watch-scroll.ts')).watchScroll,
  '[data-header]:has([data-menu])': async (header) => {
    await touched(header);
    return (await import('../features/header/browser/start-menu.ts')).startMenu;
  },
  '[data-switcher-place]': async (place) => {
    await touched(place);
    return (await import('../features/header/browser/close-switcher.ts')).closeSwitcher;
  },
  '[data-article]': async () => {
    // Counting a view does not change the page, so nothing waits for it.
    await new Promise<void>(whenLoaded);
    return (await import('../runtime/count-view.ts')).countView;
  },
  '[data-events]': async () => (await import('../runtime/order-events.ts')).orderEvents,
  'main [data-reviews]': async () => (await import('../runtime/order-reviews.ts')).orderReviews,
  'main [data-film]': async () => {
    await videosShown();
    return (await import('../features/videos/browser/play-film.ts')).playFilm;
  },
  'main [data-video]': async () => (await import('../features/videos/browser/play-video.ts')).prepareVideo,
  'header [data-video]': async (video) => {
    await touched(video.closest('header') ?? video);
    return (await import('../features/videos/browser/play-video.ts')).prepareVideo;
  },
  'main [data-tabs]': async () => (await import('../runtime/show-tabs.ts')).showTabs,
  '[data-anchor-menu]': async () => (await import('../features/anchor-menu/browser/watch-sections.ts')).watchSections,
  '[data-reading-progress]': async () =>
    (await import('../features/reading-progress/browser/watch-progress.ts')).watchProgress,
  '[data-accordion]': async () => (await import('../features/footer/browser/fold-groups.ts')).foldGroups,
};
