import type { EventFacts, Link as LinkData, PageContent } from '../../contract/types.ts';
import type { Translate } from '../../locales/catalog.ts';
import { useRendering } from '../../rendering/context.ts';
import { Button } from '../../ui/button/button.tsx';

/** Where visitors register for an event that is to come; null where they need not, or it is over. */
export function registrationOf(facts: EventFacts, t: Translate): LinkData | null {
  if (facts.past || facts.registration === '') return null;
  return { title: t('register'), href: facts.registration, external: true, site: null, hreflang: null };
}

interface RegisterProps {
  facts: NonNullable<PageContent['facts']>;
  kind: 'signal' | 'quiet';
}

/** The button of an event that one registers for. */
export function Register({ facts, kind }: RegisterProps) {
  const { t } = useRendering();
  const to = facts.family === 'event' ? registrationOf(facts, t) : null;
  return (
    to && (
      <p>
        <Button to={to} kind={kind} />
      </p>
    )
  );
}
