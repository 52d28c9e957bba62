import { useEffect } from 'react';

/** Hides the cards of a static list that are not in the category; all are shown for an empty one. */
export function useShownCategory(listId: string, category: string): void {
  useEffect(() => {
    const cards = document.getElementById(listId)?.querySelectorAll<HTMLElement>('[data-office-category]') ?? [];
    for (const card of cards) card.hidden = category !== '' && card.dataset['officeCategory'] !== category;
  }, [listId, category]);
}
