/** The plugin's own words, by language; English where it has none. */

export interface Texts {
  /** Headings for screen readers and above the table. */
  hours: string;
  closed: string;
  closedOn: string;
  /** With the time at which it closes. */
  openUntil: (time: string) => string;
  closedNow: string;
  /** With the time, today and on another day. */
  opensAt: (time: string) => string;
  opensOn: (day: string, time: string) => string;
  directions: string;
}

const ENGLISH: Texts = {
  hours: 'Opening hours',
  closed: 'Closed',
  closedOn: 'Also closed on',
  openUntil: (time) => `Open now, until ${time}`,
  closedNow: 'Closed now',
  opensAt: (time) => `Closed now, opens at ${time}`,
  opensOn: (day, time) => `Closed now, opens ${day} at ${time}`,
  directions: 'Find the way',
};

const TEXTS: Record<string, Texts> = {
  en: ENGLISH,
  de: {
    hours: 'Öffnungszeiten',
    closed: 'Geschlossen',
    closedOn: 'Außerdem geschlossen am',
    openUntil: (time) => `Jetzt geöffnet, bis ${time}`,
    closedNow: 'Jetzt geschlossen',
    opensAt: (time) => `Jetzt geschlossen, öffnet um ${time}`,
    opensOn: (day, time) => `Jetzt geschlossen, öffnet ${day} um ${time}`,
    directions: 'So finden Sie her',
  },
  fr: {
    hours: 'Horaires',
    closed: 'Fermé',
    closedOn: 'Également fermé le',
    openUntil: (time) => `Ouvert, jusqu’à ${time}`,
    closedNow: 'Fermé en ce moment',
    opensAt: (time) => `Fermé, ouvre à ${time}`,
    opensOn: (day, time) => `Fermé, ouvre ${day} à ${time}`,
    directions: 'Trouver le chemin',
  },
  ar: {
    hours: 'ساعات العمل',
    closed: 'مغلق',
    closedOn: 'مغلق أيضًا في',
    openUntil: (time) => `مفتوح الآن، حتى ${time}`,
    closedNow: 'مغلق الآن',
    opensAt: (time) => `مغلق الآن، يفتح الساعة ${time}`,
    opensOn: (day, time) => `مغلق الآن، يفتح يوم ${day} الساعة ${time}`,
    directions: 'كيف تصل إلينا',
  },
};

export function textsFor(lang: string): Texts {
  return TEXTS[lang.split('-')[0] ?? ''] ?? ENGLISH;
}
