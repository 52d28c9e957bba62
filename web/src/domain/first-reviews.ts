/**
 * Which testimonials a visitor sees at first: those of the visitor's own country before the editors' first ones (spec
 * §7, decisions: Content API).
 */

export interface PlacedReview<Review> {
  review: Review;
  /** Shown at first to visitors whose country has no testimonials. All others see it only if it is from their own country. */
  isFirst: boolean;
  /** Countries whose visitors see one of their own in its place. */
  yieldsTo: string[];
}

/** `reviews`: the first `shown` of all and of each country, in the editors' order. */
export function placeReviews<Review extends { country: string }>(
  reviews: readonly Review[],
  shown: number,
): PlacedReview<Review>[] {
  const countries = [...new Set(reviews.map(({ country }) => country))];
  const chosen = new Map(countries.map((country) => [country, chooseFirst(reviews, shown, country)]));
  const first = new Set(reviews.slice(0, shown));
  return reviews.map((review) => {
    const isFirst = first.has(review);
    return { review, isFirst, yieldsTo: isFirst ? countries.filter((code) => !chosen.get(code)?.has(review)) : [] };
  });
}

function chooseFirst<Review extends { country: string }>(
  reviews: readonly Review[],
  shown: number,
  own: string,
): Set<Review> {
  const ordered = [
    ...reviews.filter(({ country }) => country === own),
    ...reviews.filter((one) => one.country !== own),
  ];
  return new Set(ordered.slice(0, shown));
}
