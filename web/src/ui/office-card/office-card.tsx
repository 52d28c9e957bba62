import type { ReactNode } from 'react';
import type { Office } from '../../contract/types.ts';
import { useRendering } from '../../rendering/context.ts';
import { Icon } from '../icon/icon.tsx';
import { Phone } from '../phone/phone.tsx';
import styles from './office-card.module.css';
import { splitAddress } from './split-address.tsx';

interface OfficeCardProps {
  office: Office;
  children?: ReactNode;
}

/** Four in a row, two on a phone; fewer of them fill theirs. */
export const officeGrid = styles.grid;

/** City, kind of office (labelled as the headquarters for some visitors), address and phone. */
export function OfficeCard({ office: { id, city, category, address, phone }, children }: OfficeCardProps) {
  const { headquarters } = useRendering();
  return (
    <div className={styles.office}>
      <div>
        <h3 className={styles.city}>{city}</h3>
        <p className={styles.category}>
          <Icon name={category.icon} />
          {id === headquarters ? <HeadquartersLabel category={category.name} /> : category.name}
        </p>
      </div>
      <div>
        <address className={styles.address}>
          <bdi>{splitAddress(address)}</bdi>
        </address>
        <Phone number={phone} />
        {children}
      </div>
    </div>
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
