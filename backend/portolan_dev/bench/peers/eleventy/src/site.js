(() => {
  const d = document,
    $ = (s, r = d) => [...r.querySelectorAll(s)],
    h = d.querySelector('.hd');
  let t, o;
  const set = (l, v) => {
    $('.hd-nav>ul>li').forEach((x) => {
      const on = v && x === l;
      x.lastElementChild.classList.toggle('sub-on', on);
      x.firstElementChild.setAttribute('aria-expanded', on);
    });
    o = v && l;
  };
  addEventListener('scroll', () => h.classList.toggle('hd-fixed', scrollY > 20), { passive: true });
  $('.hd-nav>ul>li').forEach((l) => {
    l.onmouseenter = () => {
      clearTimeout(t);
      t = setTimeout(() => set(l, true), o ? 100 : 200);
    };
    l.onmouseleave = () => {
      clearTimeout(t);
      t = setTimeout(() => set(l, false), 200);
    };
    l.firstElementChild.onclick = () => set(l, o !== l);
  });
  addEventListener('keydown', (e) => {
    if (e.key === 'Escape') set(null, false);
  });
  const b = d.querySelector('.hd-burger');
  b.onclick = () => {
    let m = d.querySelector('.mob');
    if (m) {
      m.remove();
      return;
    }
    m = d.createElement('div');
    m.className = 'mob';
    m.innerHTML =
      '<ul>' +
      $('.hd-nav>ul>li')
        .map((l, i) => `<li><button type="button" data-i="${i}">${l.firstElementChild.textContent}</button></li>`)
        .join('') +
      '</ul>';
    h.append(m);
    m.onclick = (e) => {
      const i = e.target.dataset.i;
      if (i)
        m.innerHTML =
          '<button type="button">Back</button><ul>' + $('.hd-nav>ul>li')[i].lastElementChild.innerHTML + '</ul>';
    };
  };
  const c = d.querySelector('.ck');
  try {
    c.hidden = !!localStorage.getItem('consent');
  } catch {
    c.hidden = false;
  }
  c.onclick = (e) => {
    const a = e.target.dataset.a;
    if (a === 'more') {
      const m = c.querySelector('.more');
      m.hidden = !m.hidden;
    }
    if (a === 'ok') {
      localStorage.setItem('consent', '1');
      c.hidden = true;
    }
  };
})();
