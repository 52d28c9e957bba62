import type { BlockOf } from '../../contract/types.ts';
import { priceRoles } from '../../domain/estimate.ts';
import { buildMoneyPattern, printMoney } from '../../domain/money.ts';
import { useRendering } from '../../rendering/context.ts';
import { Button } from '../../ui/button/button.tsx';
import { Section, SectionHead } from '../../ui/section/section.tsx';
import styles from './estimate-teaser.module.css';

/** Without a rate card a site still shows the way to the estimate form. */
export function EstimateTeaser({
  tone,
  anchor,
  title,
  text,
  roles,
  link,
  rateCards: [card],
}: BlockOf<'estimate_teaser'>) {
  const { t, dateLocale } = useRendering();
  const prices = card ? priceRoles(card, roles) : [];
  const money = card && buildMoneyPattern(dateLocale, card.currency);
  return (
    <Section tone={tone} anchor={anchor}>
      <SectionHead title={title} text={text} />
      <div className={styles.prices}>
        {money && prices.length > 0 && (
          <>
            <dl>
              {prices.map(({ role, name, from, to }) => (
                <div key={role}>
                  <dt>{name}</dt>
                  <dd>{t('priceMonth', { from: printMoney(from, money), to: printMoney(to, money) })}</dd>
                </div>
              ))}
            </dl>
            <p>{t('priceNote')}</p>
          </>
        )}
        <Button to={link} kind="quiet" />
      </div>
    </Section>
  );
}
