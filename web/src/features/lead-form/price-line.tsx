import type { Estimate } from '../../domain/estimate.ts';
import { printMoney } from '../../domain/money.ts';
import { fill } from '../../locales/fill.ts';
import { Changing } from '../../ui/changing/changing.tsx';
import styles from './lead-form.module.css';
import type { LeadFormProps } from './lead-form-props.ts';

interface PriceLineProps extends Pick<LeadFormProps, 'definition' | 'labels' | 'rates'> {
  estimate: Estimate | null;
}

/** The range of the present answers, its parts, and the services that it excludes. */
export function PriceLine({ definition, labels, rates, estimate }: PriceLineProps) {
  if (!rates || !estimate)
    return (
      <div className={styles.price}>
        <p>{labels.priceNone}</p>
      </div>
    );
  const { price } = estimate;
  const values = { from: printMoney(price.from, rates.money), to: printMoney(price.to, rates.money) };
  return (
    <div className={styles.price}>
      <p className={styles.count}>{labels.price}</p>
      <p role="status" data-price="">
        <Changing>{fill(labels.prices[price.unit], values)}</Changing>
      </p>
      <ul className={styles.hint} data-price-notes="">
        {listNotes(estimate).map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
      <p className={styles.hint}>{labels.priceNote}</p>
    </div>
  );

  function listNotes({ supplements, open, isUsualTeam, unpriced, lacking }: Estimate): string[] {
    const titles = new Map(definition.services.map(({ value, title }) => [value, title]));
    const roles = new Map(rates?.card.rates.map(({ role, name }) => [role, name]));
    const ofTeam = isUsualTeam ? labels.usualTeam : labels.open.team;
    return [
      ...supplements.map((part) =>
        fill(labels.supplement, { what: titleOf(part), percent: rates?.percents[part.percent] ?? '' }),
      ),
      ...unpriced.map((service) => fill(labels.unpriced, { what: titles.get(service) ?? service })),
      ...lacking.map((role) => fill(labels.lacking, { what: roles.get(role) ?? role })),
      ...open.map((question) => (question === 'team' ? ofTeam : labels.open[question])),
    ];

    function titleOf(part: Estimate['supplements'][number]): string {
      if (part.of === 'service') return titles.get(part.service) ?? part.service;
      if (part.of === 'start') return new Map(Object.entries(labels.starts)).get(part.start) ?? part.start;
      return fill(labels.fromMonths, { n: part.months });
    }
  }
}
