/** The numbers of the specification, with the unit in every name. */

/** A chunk that failed is asked for once more, after this pause. */
export const CHUNK_RETRY_DELAY_MS = 1000;

/** The header is fixed when the page is scrolled further than this (spec §4, §9). */
export const HEADER_FIXED_AFTER_PX = 20;

/** Up to this width the menu is the mobile one (spec §9); the style sheets say the same. */
export const MOBILE_UP_TO_PX = 960;

/** Resting on a menu item opens its sub-menu after this time, or after the shorter one if another is open (spec §4). */
export const SUBMENU_OPEN_DELAY_MS = 200;
export const SUBMENU_SWITCH_DELAY_MS = 100;

/** A sub-menu that hovering has opened goes this long after the pointer has left it. */
export const SUBMENU_CLOSE_DELAY_MS = 300;

/** News in the menu (spec §9). The grid in `features/header/header.module.css` has the same number of columns. */
export const MENU_NEWS_COUNT = 3;

/** A section is current from this far before its top reaches that of the window (spec §4, §9). */
export const ANCHOR_OFFSET_PX = 200;

/** How much of a page was read is told to screen readers at most this often. */
export const PROGRESS_TOLD_EVERY_MS = 500;

/** Below this width the footer's groups fold. */
export const ACCORDION_BELOW_PX = 768;

/**
 * A choice about cookies is asked for again after this time (spec §9). The record of it on the server has a time of its
 * own: PORTOLAN_CONSENT_KEPT_MONTHS.
 */
export const CONSENT_MAX_AGE_MONTHS = 3;

/** A page that could not be loaded is requested again after pauses of 300, 900 and 2,700 ms (spec §8; decisions: Page runtime). */
export const LOAD_RETRIES = 3;
export const LOAD_RETRY_PAUSE_MS = 300;
export const LOAD_RETRY_FACTOR = 3;

/** Each pause is longer or shorter by up to this part of it: visitors who failed together do not come back together. */
export const LOAD_RETRY_SPREAD = 0.2;

/** A server that names the time to come back is heeded up to here. */
export const RETRY_AFTER_UP_TO_MS = 5000;

/** A request that is not answered in this time has failed. */
export const REQUEST_LIMIT_MS = 15_000;

/** A page that was loaded is shown again without asking for this long. */
export const LOADED_PAGE_KEPT_MS = 300_000;

/** So many loaded pages are kept at a time; the one that was used longest ago goes first. */
export const LOADED_PAGES_KEPT = 50;

/** So many entries of the history have a scroll position of their own. Browsers keep 50 entries. */
export const KEPT_SCROLL_POSITIONS = 50;

/** A change of page that takes longer than this is seen to be under way (spec §4, §9). */
export const LOADING_SHOWN_AFTER_MS = 1000;

/** Pages whose links are in sight are loaded ahead: so many at a time, so long after a link came or the last batch ended (spec §9). */
export const PREFETCH_BATCH_SIZE = 4;
export const PREFETCH_BATCH_PAUSE_MS = 3000;

/** A page that takes longer does not hold up the next batch. */
export const PREFETCH_LIMIT_MS = 10_000;

/** Tags hear of a change of page this long after it (spec §7). */
export const TAG_EVENT_DELAY_MS = 50;

/** The code of an element is fetched at this distance from the visible area. */
export const NEAR_PX = 200;

/** Lazy work starts this long after load (spec §9), or at this distance from the visible area. */
export const LAZY_AFTER_LOAD_MS = 5000;
export const LAZY_WITHIN_PX = 400;

/** Partytown, which runs third-party scripts in a worker: its version, and a count of our changes to its files. */
export const PARTYTOWN_FOLDER = '/assets/partytown-0.14.4-1/';

/** Limits of the stored values about a visitor's origin; a form accepts as much. */
export const TRACKED_URL_MAX_CHARS = 2000;
export const AD_CLICK_ID_MAX_CHARS = 500;

/** The service worker's page if the requested page is missing in the network and the cache. */
export const OFFLINE_PAGE_URL = '/offline.html';

/** The service worker waits this long for the network before it answers with its copy of a page. */
export const NETWORK_FIRST_LIMIT_MS = 1500;

/** So much of each kind the service worker keeps, and for so long after it came. */
export const KEPT_ASSETS = 150;
export const KEPT_PAGES = 50;
export const KEPT_PAGE_DATA = 100;
export const KEPT_PICTURES = 80;
export const KEPT_FOR_S = 30 * 24 * 60 * 60;

/** A captcha token is used for this time after it was made; then a new one is made. */
export const CAPTCHA_TOKEN_KEPT_MS = 540_000;

/** A form waits this long for the captcha before it goes without (spec §5). */
export const CAPTCHA_LIMIT_MS = 8000;

/** Leads that were kept while offline, and that the server could not take yet, are tried again after this time. */
export const KEPT_LEADS_RETRY_MS = 60_000;

/** In IndexedDB. */
export const LEAD_DATABASE = 'leads';
