import { describe, expect, it } from 'vitest';
import { createTranslate } from './catalog.ts';

describe('interface texts', () => {
  it.each([
    ['de-DE', 'Menü öffnen'],
    ['de-AT', 'Menü öffnen'],
    ['ru-KZ', 'Открыть меню'],
    ['en', 'Open the menu'],
    ['en-GB', 'Open the menu'],
    ['it', 'Open the menu'],
  ])('in %s are those of the tag, of its language, or English', (lang, menu) => {
    expect(createTranslate(lang)('openMenu')).toBe(menu);
  });

  it('take values', () => {
    expect(createTranslate('ar-AE')('homePage', { company: 'Brightmoor' })).toBe('Brightmoor، الصفحة الرئيسية');
  });

  it("are the site's own where editors changed them, counted in its language", () => {
    const own = { openMenu: 'Auf', officesShown: { one: '{n} Büro', other: '{n} Büros' } };
    const t = createTranslate('de-DE', own);
    expect([t('openMenu'), t('closeMenu')]).toEqual(['Auf', 'Menü schließen']);
    expect([t('officesShown', { n: 1 }), t('officesShown', { n: 2 })]).toEqual(['1 Büro', '2 Büros']);
    const italian = createTranslate('it', {
      officesShown: { one: '{n} ufficio', many: '{n} di uffici', other: '{n} uffici' },
    });
    expect(italian('officesShown', { n: 1_000_000 })).toBe('1000000 di uffici');
  });

  it('show a value that was not given, rather than nothing', () => {
    expect(createTranslate('en')('homePage', { other: 'x' })).toBe('{company}, home page');
  });

  it.each([
    ['en', 1, '1 office shown'],
    ['en', 2, '2 offices shown'],
    ['it', 1, '1 office shown'],
    ['pl-PL', 1, 'Pokazano 1 biuro'],
    ['pl-PL', 3, 'Pokazano 3 biura'],
    ['pl-PL', 5, 'Pokazano 5 biur'],
    ['pl-PL', 22, 'Pokazano 22 biura'],
    ['ru-KZ', 21, 'Показан 21 офис'],
    ['ru-KZ', 11, 'Показано 11 офисов'],
    ['ar-AE', 0, 'لا يظهر أي مكتب'],
    ['ar-AE', 2, 'يظهر مكتبان'],
    ['ar-AE', 5, 'تظهر 5 مكاتب'],
    ['ar-AE', 16, 'يظهر 16 مكتبًا'],
    ['ar-AE', 100, 'يظهر 100 مكتب'],
  ])('count in %s: %i', (lang, n, text) => {
    expect(createTranslate(lang)('officesShown', { n })).toBe(text);
  });
});
