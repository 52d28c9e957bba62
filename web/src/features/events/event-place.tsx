import { printPlace } from '../../domain/places.ts';
import { useRendering } from '../../rendering/context.ts';

interface EventPlaceProps {
  /** Empty where it is held online. */
  city: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
}

/** City and country of an event, in the language of the page. */
export function EventPlace({ city, country }: EventPlaceProps) {
  const { lang, t } = useRendering();
  return city ? printPlace(city, country, lang) : t('online');
}
