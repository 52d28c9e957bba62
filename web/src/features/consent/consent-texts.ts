/** The texts that a visitor reads before choosing, and their hash, by which a consent record names them (docs/privacy.md). */
import { createHash } from 'node:crypto';
import type { VisitorRules } from '../../contract/types.ts';
import type { Visitor } from '../../domain/visitor.ts';
import type { Translate } from '../../locales/catalog.ts';

const HASH_DIGITS = 32;

type Profile = VisitorRules['consentProfile'];

/** The description: its first line is visible, and the text after the line break is shown on demand. */
export function describeCookies(t: Translate, profile: Profile, theme: Visitor['consentTheme']): string {
  const opening = t(profile === 'strict' ? 'cookiesAsked' : 'cookiesUsed');
  const change = t('cookieChange', { settings: t('cookieSettings') });
  return theme === 'gdpr' ? `${opening}\n${t('cookieDetails')} ${change}` : `${opening} ${change}`;
}

/** All texts of the banner, the notice or the settings, in the order in which they stand there. */
export function consentTexts(t: Translate, profile: Profile, part: Visitor['consentTheme'] | 'settings'): string[] {
  const note = profile === 'strict' ? [t('gpcNote')] : [];
  if (part === 'settings') {
    const switches = [t('statistics'), t('statisticsText'), t('advertising'), t('advertisingText')];
    return [t('cookieSettings'), ...note, t('necessary'), t('necessaryText'), ...switches, t('saveChoice')];
  }
  const reject = profile === 'strict' ? [t('rejectAll')] : [];
  const manage = part === 'gdpr' ? [t('manageCookies')] : [];
  return [describeCookies(t, profile, part), ...note, t('acceptAll'), ...reject, ...manage];
}

/** The first half of the texts' SHA-256, joined by line breaks. */
export function hashTexts(texts: string[]): string {
  return createHash('sha256').update(texts.join('\n')).digest('hex').slice(0, HASH_DIGITS);
}
