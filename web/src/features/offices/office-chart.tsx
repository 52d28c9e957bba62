import type { Office } from '../../contract/types.ts';
import { LandChart } from '../../ui/land-chart/land-chart.tsx';
import { placeHarbours } from './harbours.ts';
import styles from './office-chart.module.css';

/** All offices on one chart, with the course to each from the first. The list next to it has the same content as text. */
export function OfficeChart({ offices }: { offices: Office[] }) {
  const harbours = placeHarbours(offices);
  const [home] = harbours;
  if (!home) return null;
  const courses = harbours.slice(1).map(({ x, y }) => `M${home.x} ${home.y}L${x} ${y}`);
  const dots = harbours.map(({ x, y }) => `M${x} ${y}h0`);
  return (
    <LandChart className={styles.chart}>
      <path d={courses.join('')} />
      <path d={dots.join('')} />
      <circle cx={home.x} cy={home.y} r="7" />
      {harbours.map(
        ({ name, label }) =>
          label && (
            <text key={name} x={label.x} y={label.y} textAnchor={label.anchor}>
              {name}
            </text>
          ),
      )}
    </LandChart>
  );
}
