/**
 * The one script a page runs before it is used. The page runtime, which makes an application of the pages, is loaded
 * after it.
 */
import { startConsent } from '../features/consent/browser/start-consent.ts';
import { noticeLanguage } from '../features/language-notice/browser/notice-language.ts';
import { whenLoaded } from '../runtime/loaded.ts';
import { offerExplain } from '../runtime/offer-explain.ts';
import { startPage } from '../runtime/page.ts';
import { rememberPointer } from '../runtime/pointer.ts';
import { showVideos } from '../runtime/show-video.ts';
import { ISLANDS } from './islands.ts';
import { PARTS } from './parts.ts';

rememberPointer();
noticeLanguage();
startConsent();
const page = startPage(ISLANDS, PARTS);
offerExplain();
showVideos();
whenLoaded(async () => {
  try {
    await (await import('./runtime.ts')).startRuntime(page);
  } catch (error) {
    console.error('Links load whole pages: the page runtime could not be loaded.', error);
  }
});
