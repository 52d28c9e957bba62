import type { BlockOf } from '../../contract/types.ts';
import { Section, SectionHead } from '../../ui/section/section.tsx';
import styles from './comparison.module.css';

/**
 * The elements' own roles, repeated. On a phone they are displayed as blocks, and some screen readers then need the roles to
 * find the table.
 */
const TABLE = { role: 'table' };
const GROUP = { role: 'rowgroup' };
const ROW = { role: 'row' };
const COLUMN_HEADER = { role: 'columnheader' };
const ROW_HEADER = { role: 'rowheader' };
const CELL = { role: 'cell' };

/** On narrow screens, the cells of a row are below each other, each next to its column's name. */
export function Comparison({ tone, anchor, title, text, columns, rows, note }: BlockOf<'comparison'>) {
  return (
    <Section tone={tone} anchor={anchor}>
      <SectionHead title={title} text={text} />
      <table className={styles.table} aria-label={title} {...TABLE}>
        <thead {...GROUP}>
          <tr {...ROW}>
            <td {...CELL} />
            {columns.map((column) => (
              <th key={column} scope="col" {...COLUMN_HEADER}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...GROUP}>
          {rows.map(({ label, cells }) => (
            <tr key={label} {...ROW}>
              <th scope="row" {...ROW_HEADER}>
                {label}
              </th>
              {columns.map((column, index) => (
                <td key={column} data-column={column} {...CELL}>
                  {cells[index]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {note && <p className={styles.note}>{note}</p>}
    </Section>
  );
}
