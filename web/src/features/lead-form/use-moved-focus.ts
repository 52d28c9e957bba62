import { type RefObject, useEffect, useRef } from 'react';

/** The form's result; if there is none, its errors; else the step that is shown. */
const TARGETS = [
  '[data-thanks][data-shown]',
  '[data-kept]',
  '[data-summary]:not([hidden])',
  '[data-step]:not([data-later]) [data-step-title]',
  '[data-step]:not([data-later])',
];

/** Brings the focus to an element after each move, and not when the form comes to life. */
export function useMovedFocus(moves: number): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  const seen = useRef(moves);
  useEffect(() => {
    if (seen.current === moves) return;
    seen.current = moves;
    const form = place.current;
    const target = TARGETS.map((selector) => form?.querySelector<HTMLElement>(selector)).find(Boolean);
    target?.focus();
    target?.scrollIntoView({ block: 'nearest' });
  }, [moves]);
  return place;
}
