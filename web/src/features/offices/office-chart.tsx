import type { Office } from '../../contract/index.ts';
import { CHART, placeHarbours } from './harbours.ts';
import land from './land.svg?no-inline';
import styles from './office-chart.module.css';

/** All offices on one chart, with the course to each from the first. The list beside it says the same in words. */
export function OfficeChart({ offices }: { offices: Office[] }) {
  const { width, height } = CHART;
  const harbours = placeHarbours(offices);
  const [home] = harbours;
  if (!home) return null;
  const courses = harbours.slice(1).map(({ x, y }) => `M${home.x} ${home.y}L${x} ${y}`);
  const dots = harbours.map(({ x, y }) => `M${x} ${y}h0`);
  return (
    <svg className={styles.chart} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <use href={`${land}#land`} width={width} height={height} />
      <path d={graticule()} />
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
    </svg>
  );
}

/** Meridians and parallels, each fifteen degrees of longitude apart. */
function graticule(): string {
  const { width, height, unitsPerDegree } = CHART;
  const step = 15 * unitsPerDegree;
  const meridians = Array.from({ length: Math.ceil(width / step) }, (_, index) => `M${index * step + 48} 0v${height}`);
  const parallels = Array.from({ length: Math.ceil(height / step) }, (_, index) => `M0 ${index * step + 55}h${width}`);
  return [...meridians, ...parallels].join('');
}
