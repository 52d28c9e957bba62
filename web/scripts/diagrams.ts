/** Draw Mermaid diagrams for the documentation site: a JSON list of texts on stdin, a JSON list of SVG on stdout. */
import { text } from 'node:stream/consumers';
import { renderMermaidSVG } from 'beautiful-mermaid';

const STYLE = {
  bg: 'var(--diagram-back)',
  fg: 'var(--diagram-ink)',
  font: 'inherit',
  padding: 8,
  transparent: true,
};
const sources = JSON.parse(await text(process.stdin)) as string[];
/** The renderer loads a font from another host. Blank lines would end the HTML block in Markdown. */
const drawn = sources.map((source) =>
  renderMermaidSVG(source, STYLE)
    .replace(/@import url\('[^']*'\);/, '')
    .replace(/font-family: 'inherit'/g, 'font-family: inherit')
    .replace(/\n\s*\n/g, '\n'),
);
process.stdout.write(JSON.stringify(drawn));
