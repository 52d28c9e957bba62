import type { Office } from '../../contract/index.ts';
import { Icon } from '../icon/icon.tsx';
import { Phone } from '../phone/phone.tsx';
import styles from './office-card.module.css';

interface OfficeCardProps {
  office: Office;
  /** Level of the city's heading. */
  heading: 'h3' | 'h4';
}

/** City, what kind of office it is, address and telephone. */
export function OfficeCard({ office: { city, category, address, phone }, heading: Heading }: OfficeCardProps) {
  return (
    <>
      <Heading className={styles.city}>{city}</Heading>
      <p className={styles.category}>
        <Icon name={category.icon} />
        {category.name}
      </p>
      <address className={styles.address}>
        <bdi>{address}</bdi>
      </address>
      <Phone number={phone} />
    </>
  );
}
