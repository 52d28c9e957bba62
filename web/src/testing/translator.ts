/**
 * Chrome's browser translation for tests of islands: each text node is replaced with a `<font>`. The text stays the same here, so
 * tests read it as before; but React keeps the old node, whose changes are invisible.
 */
import { act as actAlone } from 'react';

interface Taken {
  node: Text;
  text: string;
  font: Element;
}

const LEFT_ALONE = 'font, script, style, textarea, [translate=no]';

let taken: Taken[] = [];

/** Replaces React's `act`: the page is translated before and after `work`. Throws if invisible text has changed. */
export async function act(work: () => unknown): Promise<void> {
  translate(document.body);
  await actAlone(async () => {
    await work();
  });
  const hidden = taken.filter(({ node, text, font }) => node.data !== text && font.isConnected);
  translate(document.body);
  const [first] = hidden;
  if (first)
    throw new Error(
      `In a translated page "${first.text}" stays, because "${first.node.data}" is written into a node that is gone. ` +
        'Put text that changes into <Changing>, or mark a figure with translate="no".',
    );
}

export function translate(container: Element): void {
  taken = taken.filter(({ font }) => font.isConnected);
  const walker = document.createTreeWalker(container, NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  while (walker.nextNode()) if (walker.currentNode instanceof Text) nodes.push(walker.currentNode);
  for (const node of nodes) {
    if (node.data.trim() === '' || node.parentElement?.closest(LEFT_ALONE)) continue;
    const font = document.createElement('font');
    font.append(document.createElement('font'));
    font.firstElementChild?.append(node.data);
    taken.push({ node, text: node.data, font });
    node.replaceWith(font);
  }
}
