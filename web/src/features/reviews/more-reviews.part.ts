import type { Review } from '../../contract/types.ts';
import { paginateTestimonials } from '../../lib/api-client.ts';
import { readServedCountry } from '../../lib/visitor-country.ts';
import type { Part } from '../../runtime/parts/parts.ts';
import type { MorePage } from '../../ui/more/browser/collect-more.ts';
import { growList } from '../../ui/more/browser/grow-list.ts';
import type { MoreSettings } from '../../ui/more/more.tsx';
import { buildPicture } from '../../ui/picture/browser/build-picture.ts';
import { run as orderReviews } from './order-reviews.part.ts';
import { type ScoreTexts, sayRole } from './review-texts.ts';

export const part: Part = { on: '[data-more-reviews]', when: 'touch' };
export { showMoreReviews as run };

export interface ReviewSettings extends MoreSettings {
  scores: ScoreTexts;
  /** Class of a client's logo: the card that is copied may have none. */
  logo: string;
}

/**
 * Adds testimonials to the list. Page and API may be of different releases, so we request from the start and skip visible items:
 * the list is complete and free of duplicates.
 */
async function showMoreReviews(more: HTMLElement): Promise<void> {
  const settings: ReviewSettings = JSON.parse(more.dataset['moreReviews'] ?? '');
  // Reviews that the list hides because they are for visitors of other countries would otherwise count as shown.
  const list = document.getElementById(settings.listId);
  if (list) await orderReviews(list);
  const fillCard = (card: HTMLElement, review: Review) => fillReviewCard(card, review, settings);
  growList(more, settings, { start: 0, enough: settings.count, load, fillCard });
}

async function load(shown: number): Promise<MorePage<Review>> {
  const { items, more } = await paginateTestimonials({ countryCode: readServedCountry(), more: shown });
  return { items, next: more };
}

/** Builds the same card as `review-card.tsx`. */
function fillReviewCard(card: HTMLElement, review: Review, settings: ReviewSettings): void {
  const { text, company, person, role, score, logo } = review;
  const quote = card.querySelector('blockquote p');
  const caption = card.querySelector('figcaption');
  const [cite, scored, oldLogo] = caption?.children ?? [];
  const name = cite?.querySelector('b');
  if (!quote || !caption || !cite || !scored?.lastChild || !name) return;
  quote.textContent = text;
  name.textContent = company;
  cite.replaceChildren(name, person + sayRole(role));
  scored.lastChild.replaceWith(settings.scores[score] ?? String(score));
  oldLogo?.remove();
  if (logo) caption.append(buildPicture({ ...logo, alt: '' }, settings.logo));
}
