import { describe, expect, it } from 'vitest';
import { printPlace } from './places.ts';

describe('a place', () => {
  it.each([
    ['Hamburg', 'de', 'en', 'Hamburg, Germany'],
    ['Hamburg', 'de', 'de-DE', 'Hamburg, Deutschland'],
    ['Bakı', 'az', 'az-AZ', 'Bakı, Azərbaycan'],
    ['دبي', 'ae', 'ar-AE', 'دبي، الإمارات العربية المتحدة'],
    ['Hamburg', '', 'en', 'Hamburg'],
  ])('%s in %s is in %s "%s"', (city, country, lang, text) => {
    expect(printPlace(city, country, lang)).toBe(text);
  });
});
