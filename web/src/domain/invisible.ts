/**
 * Characters that show nothing: default ignorable ones of Unicode, and the Braille blank. The same as in
 * `backend/portolan/domain/letters.py`.
 */
const INVISIBLE = String.raw`\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufff8`;
/** They choose how the character before them looks, so they stay at a text's end. */
const SELECTORS = String.raw`\ufe00-\ufe0f`;

const KEPT = new RegExp(`[^\\s${INVISIBLE}]`);
const VISIBLE = new RegExp(`[^\\s${INVISIBLE}${SELECTORS}]`);

/** Trims spaces and invisible characters; empty if the text has no visible character. */
export function trimText(text: string): string {
  if (!VISIBLE.test(text)) return '';
  let end = text.length;
  while (!KEPT.test(text.charAt(end - 1))) end -= 1;
  return text.slice(text.search(KEPT), end);
}
