import type { Office } from '../../contract/index.ts';
import { useRendering } from '../../rendering/context.ts';
import { Icon } from '../icon/icon.tsx';
import { Phone } from '../phone/phone.tsx';
import styles from './office-card.module.css';
import { splitAddress } from './split-address.tsx';

interface OfficeCardProps {
  office: Office;
  /** Level of the city's heading. */
  heading: 'h3' | 'h4';
  /** Some visitors see it labelled as the headquarters instead of by its category. */
  canBeHeadquarters?: boolean;
}

/** City, what kind of office it is, address and telephone. */
export function OfficeCard({
  office: { city, category, address, phone },
  heading: Heading,
  canBeHeadquarters = false,
}: OfficeCardProps) {
  return (
    <>
      <Heading className={styles.city}>{city}</Heading>
      <p className={styles.category}>
        <Icon name={category.icon} />
        {canBeHeadquarters ? <HeadquartersLabel category={category.name} /> : category.name}
      </p>
      <address className={styles.address}>
        <bdi>{splitAddress(address)}</bdi>
      </address>
      <Phone number={phone} />
    </>
  );
}

/** The country decides which of the two is shown (`domain/visitor.ts`). */
function HeadquartersLabel({ category }: { category: string }) {
  const { t } = useRendering();
  return (
    <>
      <span data-headquarters-label="no">{category}</span>
      <span data-headquarters-label="yes" hidden>
        {t('headquarters')}
      </span>
    </>
  );
}
