import type { ReactNode } from 'react';
import land from './land.svg?no-inline';
import styles from './land-chart.module.css';
import { CHART } from './projection.ts';

interface LandChartProps {
  className?: string | undefined;
  /** SVG in the chart's units, drawn over the land. */
  children: ReactNode;
}

/** Coasts of the world with meridians and parallels. Hidden from screen readers: a list next to it has the same content. */
export function LandChart({ className, children }: LandChartProps) {
  const { width, height } = CHART;
  return (
    <svg
      className={className ? `${styles.chart} ${className}` : styles.chart}
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
    >
      <use href={`${land}#land`} width={width} height={height} />
      <path d={graticule()} />
      {children}
    </svg>
  );
}

/** Meridians and parallels, each fifteen degrees of longitude apart. */
function graticule(): string {
  const { width, height, unitsPerDegree } = CHART;
  const step = 15 * unitsPerDegree;
  const meridians = Array.from(
    { length: Math.ceil((width - 48) / step) },
    (_, index) => `M${index * step + 48} 0v${height}`,
  );
  const parallels = Array.from(
    { length: Math.ceil((height - 55) / step) },
    (_, index) => `M0 ${index * step + 55}h${width}`,
  );
  return [...meridians, ...parallels].join('');
}
