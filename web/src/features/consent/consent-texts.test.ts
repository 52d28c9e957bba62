import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { catalogLanguages } from '../../../scripts/texts.ts';
import { cutAtLineBreak } from '../../domain/consent.ts';
import { createTranslate } from '../../locales/catalog.ts';
import { consentTexts, describeCookies, hashTexts } from './consent-texts.ts';

const LANGUAGES = ['en', ...catalogLanguages()];

describe.each(LANGUAGES)('the texts in %s', (lang) => {
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
    expect(consentTexts(t, 'strict', 'small')).toContain(t('rejectAll'));
    expect(consentTexts(t, 'spec', 'gdpr')).not.toContain(t('rejectAll'));
  });
});

it('are named by the first half of their SHA-256', () => {
  const texts = consentTexts(createTranslate('en'), 'spec', 'small');
  expect(hashTexts(texts)).toBe(createHash('sha256').update(texts.join('\n')).digest('hex').slice(0, 32));
  expect(hashTexts([...texts, ''])).not.toBe(hashTexts(texts));
});
