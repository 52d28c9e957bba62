import '../testing/dom.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readServedCountry, readVisitorCountry } from './visitor-country.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

describe("the visitor's country", () => {
  it.each([
    ['country_code=ae', 'ae'],
    ['consent_status=%7B%7D; country_code=gb; other=1', 'gb'],
    ['', undefined],
    ['my_country_code=ae', undefined],
    ['country_code=', undefined],
    ['country_code=usa', undefined],
    ['country_code=<b', undefined],
  ])('with the cookies "%s" is %s', (cookies, country) => {
    vi.spyOn(document, 'cookie', 'get').mockReturnValue(cookies);
    expect(readVisitorCountry()).toBe(country);
  });
});

describe('the country a visitor is served as', () => {
  it.each([
    ['ae', 'ae'],
    ['', undefined],
    [undefined, undefined],
  ])('with the decision "%s" is %s', (decided, country) => {
    delete document.documentElement.dataset['country'];
    if (decided !== undefined) document.documentElement.dataset['country'] = decided;
    expect(readServedCountry()).toBe(country);
  });
});
