import { drawChart, EXTENT, RHUMB_LINES, ROSE_DARK, ROSE_LIT } from './chart.ts';
import styles from './motif.module.css';

interface MotifProps {
  seed: number;
  /** Unique in the page: the depths repeat the coast by this id. */
  id: string;
  /** Isles and rhumb lines alone, filling a frame. */
  plain?: boolean;
}

/** Each isle's coast is drawn again and again, ever wider: that makes the lines of equal depth. */
const DEPTHS = ['7', '6', '5', '4', '3', '2', '1'];

/** The chart on the ground of a section. Decoration: it says nothing that the page does not say. */
export function Motif({ seed, id, plain = false }: MotifProps) {
  const { rose, coast, soundings, position } = drawChart(seed);
  return (
    <div className={plain ? `${styles.motif} ${styles.plain}` : styles.motif} aria-hidden="true">
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: the element around it is hidden from screen readers */}
      <svg
        viewBox={`${-EXTENT} ${-EXTENT} ${2 * EXTENT} ${2 * EXTENT}`}
        preserveAspectRatio={plain ? 'xMidYMid slice' : undefined}
      >
        <defs>
          <path id={id} d={coast} />
        </defs>
        {DEPTHS.map((depth) => (
          <use key={depth} href={`#${id}`} />
        ))}
        <g transform={`translate(${rose.x} ${rose.y})rotate(${rose.deviation})`}>
          <path d={RHUMB_LINES} />
          {!plain && (
            <>
              <circle r="168" />
              <circle r="175" pathLength="360" />
              <path d={ROSE_DARK} />
              <path d={ROSE_LIT} />
            </>
          )}
        </g>
        {soundings.map(({ x, y, fathoms }) => (
          <text key={x} x={x} y={y}>
            {fathoms}
          </text>
        ))}
      </svg>
      {!plain && (
        <p>
          <bdi dir="ltr">{position}</bdi>
        </p>
      )}
    </div>
  );
}
