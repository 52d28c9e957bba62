/** Every interactive part and where its code is. A component that is not in this list cannot be an island. */
export const ISLANDS = {
  'language-switcher': async () =>
    (await import('../features/header/language-switcher/language-switcher.tsx')).LanguageSwitcher,
  'office-filter': async () => (await import('../features/offices/office-filter.tsx')).OfficeFilter,
};

export type IslandName = keyof typeof ISLANDS;
