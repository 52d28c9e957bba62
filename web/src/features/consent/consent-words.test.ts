import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { catalogLanguages } from '../../../scripts/texts.ts';
import { cutAtLineBreak } from '../../domain/consent.ts';
import { createTranslate } from '../../locales/catalog.ts';
import { consentWords, describeCookies, hashWords } from './consent-words.ts';

const LANGUAGES = ['en', ...catalogLanguages()];

describe.each(LANGUAGES)('the words in %s', (lang) => {
  const t = createTranslate(lang);

  it('of the banner have more after a line break, those of the notice do not', () => {
    for (const profile of ['spec', 'strict'] as const) {
      expect(cutAtLineBreak(describeCookies(t, profile, 'gdpr'))[1]).not.toBe('');
      expect(cutAtLineBreak(describeCookies(t, profile, 'small'))[1]).toBe('');
    }
  });

  it('say where the choice can be changed, by the name that stands there', () => {
    for (const theme of ['gdpr', 'small'] as const) {
      expect(describeCookies(t, 'strict', theme)).toContain(t('cookieSettings'));
    }
  });

  it('offer to refuse in strict alone', () => {
    expect(consentWords(t, 'strict', 'small')).toContain(t('rejectAll'));
    expect(consentWords(t, 'spec', 'gdpr')).not.toContain(t('rejectAll'));
  });
});

it('are named by the first half of their SHA-256', () => {
  const words = consentWords(createTranslate('en'), 'spec', 'small');
  expect(hashWords(words)).toBe(createHash('sha256').update(words.join('\n')).digest('hex').slice(0, 32));
  expect(hashWords([...words, ''])).not.toBe(hashWords(words));
});
