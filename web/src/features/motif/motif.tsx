import type { ReactNode } from 'react';
import { useRendering } from '../../rendering/context.ts';
import { drawChart, EXTENT, RHUMB_LINES, ROSE_DARK, ROSE_LIT } from './chart.ts';
import { DOT, DOTS_APART, drawDots } from './dots.ts';
import styles from './motif.module.css';

interface MotifProps {
  seed: number;
  /** Unique in the page: parts of the drawing are repeated by this id. */
  id: string;
  /** Fills a frame, without the parts that need room. */
  plain?: boolean;
}

/** Each isle's coast is drawn again and again, ever wider: that makes the lines of equal depth. */
const DEPTHS = ['7', '6', '5', '4', '3', '2', '1'];

/** The brand's motif on the background of a section. Pure decoration. */
export function Motif(props: MotifProps) {
  const { motif } = useRendering().brand;
  if (motif === 'none') return null;
  const classes = [styles.motif, styles[motif], props.plain && styles.plain].filter(Boolean).join(' ');
  return (
    <div className={classes} aria-hidden="true">
      {motif === 'chart' ? <ChartMotif {...props} /> : <DotsMotif {...props} />}
    </div>
  );
}

function ChartMotif({ seed, id, plain = false }: MotifProps) {
  const { rose, coast, soundings, position } = drawChart(seed);
  return (
    <>
      <Square plain={plain}>
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
      </Square>
      {!plain && (
        <p>
          <bdi dir="ltr">{position}</bdi>
        </p>
      )}
    </>
  );
}

function DotsMotif({ seed, id, plain = false }: MotifProps) {
  const { turn, rings } = drawDots(seed);
  return (
    <Square plain={plain}>
      <defs>
        <pattern
          id={id}
          width={DOTS_APART}
          height={DOTS_APART}
          patternUnits="userSpaceOnUse"
          patternTransform={`rotate(${turn})`}
        >
          <circle cx={DOTS_APART / 2} cy={DOTS_APART / 2} r={DOT} />
        </pattern>
      </defs>
      <rect x={-EXTENT} y={-EXTENT} width={2 * EXTENT} height={2 * EXTENT} fill={`url(#${id})`} />
      {rings.map(({ x, y, radius }) => (
        <circle key={`${x} ${y}`} cx={x} cy={y} r={radius} />
      ))}
    </Square>
  );
}

function Square({ plain, children }: { plain: boolean; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: the element around it is hidden from screen readers
    <svg
      viewBox={`${-EXTENT} ${-EXTENT} ${2 * EXTENT} ${2 * EXTENT}`}
      preserveAspectRatio={plain ? 'xMidYMid slice' : undefined}
    >
      {children}
    </svg>
  );
}
