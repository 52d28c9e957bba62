// The peers' page as plain templates: the least that a generator can do for it.
const escape = (text) => String(text).replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]);
const each = (values, write) => values.map(write).join('');
const picture = (i, eager, cls = '', sizes = '(max-width: 960px) 100vw, 33vw') =>
  `<img${cls && ` class="${cls}"`} src="${i.base}-m.webp" srcset="${i.base}-s.webp 400w, ${i.base}-m.webp 800w, ${i.base}-l.webp 1600w" sizes="${sizes}" width="800" height="450" alt="${escape(i.alt)}" loading="${eager ? 'eager' : 'lazy'}"${eager ? ' fetchpriority="high"' : ''} decoding="async">`;
const BLOCKS = {
  stats: (b) =>
    `<dl class="stats">${each(b.items, (s) => `<div><dd>${escape(s.value)}</dd><dt>${escape(s.label)}</dt></div>`)}</dl>`,
  cards: (b) =>
    `<ul class="cards">${each(b.items, (c) => `<li><span class="ic ic-${c.icon}" aria-hidden="true"></span><h3>${escape(c.title)}</h3><p>${escape(c.text)}</p><a href="${escape(c.url)}" aria-label="${escape(c.title)}">Learn more</a></li>`)}</ul>`,
  logos: (b) =>
    `<ul class="logos">${each(b.items, (l) => `<li><img src="${l.url}" alt="${escape(l.name)}" width="120" height="40" loading="lazy"></li>`)}</ul>`,
  testimonials: (b) =>
    `<ul class="tst">${each(b.items, (t) => `<li><blockquote>${escape(t.quote)}</blockquote>${picture(t.img)}<cite>${escape(t.name)}, ${escape(t.role)}</cite></li>`)}</ul>`,
  faq: (b) =>
    `<div class="faq">${each(b.items, (f) => `<details><summary>${escape(f.q)}</summary><p>${escape(f.a)}</p></details>`)}</div>`,
  richtext: (b) => `<div class="rich">${b.html}</div>`,
  caseTeasers: (b) =>
    `<ul class="cases">${each(b.items, (c) => `<li>${picture(c.img)}<h3><a href="${escape(c.url)}">${escape(c.title)}</a></h3><p>${escape(c.text)}</p><ul class="tags">${each(c.tags, (t) => `<li>${escape(t)}</li>`)}</ul></li>`)}</ul>`,
  form: (b) =>
    `<form class="form" action="${b.action}" method="post" enctype="multipart/form-data"><p>${escape(b.text)}</p>${each(['name', 'email', 'phone', 'company'], (n) => `<label><span>${n}</span><input name="${n}" type="${n === 'email' ? 'email' : n === 'phone' ? 'tel' : 'text'}"${n !== 'company' ? ' required' : ''}></label>`)}<label><span>country</span><select name="country">${each(b.countries, (c) => `<option>${escape(c)}</option>`)}</select></label><label><span>message</span><textarea name="message" rows="5"></textarea></label><label class="chk"><input type="checkbox" name="agree" required> <span>I agree to the <a href="/privacy-policy/">privacy policy</a></span></label><button class="btn">Send</button></form>`,
};
const block = (b) =>
  b.type === 'hero'
    ? `<section class="bl hero" id="${b.id}"><div class="wrap"><h1>${escape(b.title)}</h1><p>${escape(b.text)}</p><a class="btn" href="${b.cta.url}">${escape(b.cta.title)}</a>${picture(b.img, true, 'hero-img', '(max-width: 960px) 100vw, 50vw')}</div></section>`
    : `<section id="${b.id}" class="bl bl-${b.type}"><div class="wrap"><h2>${escape(b.title)}</h2>${BLOCKS[b.type](b)}</div></section>`;
const header = (s) =>
  `<header class="hd"><div class="wrap hd-row"><a href="/" class="hd-logo" aria-label="${escape(s.company)}"><img src="/img/logo.svg" width="120" height="40" alt=""></a><nav class="hd-nav" aria-label="Main"><ul>${each(s.menu, (x) => `<li><button type="button" aria-expanded="false">${escape(x.title)}</button><div class="sub sub-${x.contentType}"><ul>${each(x.submenu, (i) => `<li><a href="${i.url}">${x.contentType === 'cards' ? `<img src="${i.img}" width="80" height="45" alt="" loading="lazy">` : ''}<b>${escape(i.title)}</b><span>${escape(i.description)}</span></a></li>`)}</ul></div></li>`)}</ul></nav><div class="hd-lang"><button type="button" aria-expanded="false">${s.lang.toUpperCase()}</button></div><a href="/contact-us/" class="btn">Contact us</a><button type="button" class="hd-burger" aria-label="Menu" aria-expanded="false">≡</button></div></header>`;
const footer = (s) =>
  `<footer class="ft"><div class="wrap"><section class="ft-off"><h2>Our offices</h2><ul>${each(s.offices, (o) => `<li><span class="ic ic-${o.category.icon}" aria-hidden="true"></span><em>${escape(o.category.name)}</em><b>${escape(o.city)}</b><address>${escape(o.address)}</address><a href="tel:${o.phone.replace(/ /g, '')}">${o.phone}</a></li>`)}</ul><a href="/about-us/#offices">See more</a></section><div class="ft-links">${each(s.footer, (g) => `<section><h3>${escape(g.title)}</h3><ul>${each(g.links, (l) => `<li><a href="${l.link}">${escape(l.title)}</a></li>`)}</ul></section>`)}</div><ul class="ft-soc">${each(s.social, (x) => `<li><a href="https://${x}.example.com/" target="_blank" rel="nofollow noopener" aria-label="${x}"><span class="ic ic-${x}"></span></a></li>`)}</ul><p class="ft-copy">© 2026 ${escape(s.company)}. All rights reserved. <a href="/privacy-policy/">Privacy policy</a> <a href="/cookies-policy/">Cookies policy</a> This site is protected by a captcha.</p></div></footer>`;
const consent = (c) =>
  `<div class="ck" role="dialog" aria-label="${escape(c.title)}" hidden><b>${escape(c.title)}</b><p>${escape(c.text)}<span class="more" hidden> ${escape(c.more)}</span></p><button type="button" data-a="more">Show more</button><button type="button">Manage</button><button type="button" class="btn" data-a="ok">Accept</button></div>`;
export const data = {
  pagination: { data: 'pages', size: 1, alias: 'entry' },
  permalink: (d) => d.entry.path.slice(1) + 'index.html',
};
export function render({ site, entry: p }) {
  return `<!doctype html><html lang="${p.lang}" dir="${site.dir}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escape(p.title)}</title><meta name="description" content="${escape(p.description)}"><link rel="canonical" href="https://example.com${p.path}"><link rel="stylesheet" href="/site.css"><script src="/site.js" defer></script></head><body>${header(site)}<main class="pg pg-${p.type}">${p.type === 'article' ? `<p class="wrap date"><time datetime="${p.date}">${p.date}</time></p>` : ''}${each(p.blocks, block)}</main>${footer(site)}${consent(site.consent)}</body></html>`;
}
