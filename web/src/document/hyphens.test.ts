import { expect, it } from 'vitest';
import { makeHyphenate } from './hyphens.ts';

it.each([
  ['Softwareentwicklung', 'Software-ent-wicklung'],
  ['Qualitätssicherung', 'Quali-täts-si-cherung'],
  ['Donaudampfschifffahrtsgesellschaft', 'Donau-dampf-schiff-fahrts-ge-sell-schaft'],
  ['Was darf bei Ihnen nicht stillstehen?', 'Was darf bei Ihnen nicht stillstehen?'],
  ['Die Datenschutz-Grundverordnung', 'Die Datenschutz-Grund-ver-ordnung'],
  ['Webentwicklung, die gut altert', 'Webent-wicklung, die gut altert'],
])('in German, %s is %s', (text, expected) => {
  expect(makeHyphenate('de')(text).replaceAll('\u00ad', '-')).toBe(expected);
});

it.each(['en', 'pl', 'ar-AE'])('in %s nothing is put into words', (lang) => {
  expect(makeHyphenate(lang)('Softwareentwicklung')).toBe('Softwareentwicklung');
});
