import type { Office } from '../../contract/types.ts';
import { useRendering } from '../../rendering/context.ts';
import { OfficeCard, officeGrid } from '../../ui/office-card/office-card.tsx';
import { OfficeChart } from './office-chart.tsx';
import { OfficeFilter } from './office-filter.tsx';
import styles from './office-list.module.css';

/** All offices on a chart and as cards, and buttons that narrow them to a kind. */
export function OfficeList({ offices }: { offices: Office[] }) {
  const { prefix } = useRendering();
  const listId = `${prefix}offices`;
  return (
    <div className={styles.list}>
      <OfficeChart offices={offices} />
      <OfficeFilter offices={offices} listId={listId} />
      <ul id={listId} className={officeGrid}>
        {offices.map((office) => (
          <li key={office.id} data-office-category={office.category.name}>
            <OfficeCard office={office}>
              <p className={styles.position} aria-hidden="true">
                <bdi dir="ltr">{printPosition(office)}</bdi>
              </p>
            </OfficeCard>
          </li>
        ))}
      </ul>
    </div>
  );
}

function printPosition({ lat, lng }: Office): string {
  return `${Math.abs(lat).toFixed(2)}° ${lat < 0 ? 'S' : 'N'}  ${Math.abs(lng).toFixed(2)}° ${lng < 0 ? 'W' : 'E'}`;
}
