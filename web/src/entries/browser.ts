/**
 * The one script a page runs before it is used. The page runtime, which makes an application of the pages, is loaded
 * after it.
 */
import { ISLANDS } from 'virtual:islands';
import { PARTS } from 'virtual:parts';
import { startConsent } from '../features/consent/browser/start-consent.ts';
import { noticeLanguage } from '../features/language-notice/browser/notice-language.ts';
import { offerExplain } from '../runtime/explain/offer-explain.ts';
import { whenLoaded } from '../runtime/loaded.ts';
import { startPage } from '../runtime/parts/page.ts';
import { rememberPointer } from '../runtime/parts/pointer.ts';
import { showVideos } from '../runtime/parts/show-video.ts';

rememberPointer();
noticeLanguage();
startConsent();
const page = startPage(ISLANDS, PARTS);
offerExplain(PARTS);
showVideos();
whenLoaded(async () => {
  try {
    await (await import('./runtime.ts')).startRuntime(page);
  } catch (error) {
    console.error('Not loaded: page runtime.', error);
  }
});
