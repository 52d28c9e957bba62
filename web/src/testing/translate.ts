/**
 * Replace the text nodes below an element as the translation of Chrome does: each by `<font><font>…</font></font>` with another text.
 * The original nodes are detached. A script that goes on writing into one of them changes nothing a visitor can see.
 */
export function translate(root: Element): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT, (text) =>
    text.parentElement?.closest('[translate=no],script,style') ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  );
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    if (!text.data.trim()) continue;
    const [outer, inner] = [document.createElement('font'), document.createElement('font')];
    inner.textContent = `«${text.data}»`;
    outer.append(inner);
    text.replaceWith(outer);
  }
}
