import type { PriceRange } from '../../domain/estimate.ts';
import { type MoneyPattern, printMoney } from '../../domain/money.ts';
import { fill } from '../../locales/fill.ts';
import styles from './lead-form.module.css';
import type { LeadFormLabels } from './lead-form-props.ts';

interface PriceLineProps {
  labels: LeadFormLabels;
  price: PriceRange | null;
  money: MoneyPattern;
}

/** The range that follows from what has been said so far. */
export function PriceLine({ labels, price, money }: PriceLineProps) {
  if (!price) return null;
  const values = { from: printMoney(price.from, money), to: printMoney(price.to, money) };
  return (
    <div className={styles.price}>
      <p className={styles.count}>{labels.price}</p>
      <p role="status" data-price="">
        {fill(labels.prices[price.unit], values)}
      </p>
      <p className={styles.hint}>{labels.priceNote}</p>
    </div>
  );
}
