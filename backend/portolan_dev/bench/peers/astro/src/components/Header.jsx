'use client';
import { useEffect, useRef, useState } from 'react';
import Link from './Link.jsx';

export default function Header({ menu, languages, lang, company }) {
  const [open, setOpen] = useState(-1),
    [burger, setBurger] = useState(false),
    [fixed, setFixed] = useState(false),
    [langs, setLangs] = useState(false);
  const [stack, setStack] = useState([]);
  const timer = useRef(0);
  useEffect(() => {
    const f = () => setFixed(window.scrollY > 20);
    window.addEventListener('scroll', f, { passive: true });
    f();
    return () => window.removeEventListener('scroll', f);
  }, []);
  const hover = (i) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setOpen(i), open >= 0 ? 100 : 200);
  };
  const leave = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setOpen(-1), 200);
  };
  const key = (e, i) => {
    if (e.key === 'Escape') setOpen(-1);
    if (e.key === 'Enter' || e.key === ' ') {
      e.preventDefault();
      setOpen(open === i ? -1 : i);
    }
  };
  return (
    <header className={'hd' + (fixed ? ' hd-fixed' : '') + (burger ? ' hd-open' : '')}>
      <div className="wrap hd-row">
        <Link href="/" className="hd-logo" aria-label={company}>
          <img src="/img/logo.svg" width="120" height="40" alt="" />
        </Link>
        <nav className="hd-nav" aria-label="Main">
          <ul>
            {menu.map((m, i) => (
              <li key={m.key} onMouseEnter={() => hover(i)} onMouseLeave={leave}>
                <button
                  type="button"
                  aria-expanded={open === i}
                  onClick={() => setOpen(open === i ? -1 : i)}
                  onKeyDown={(e) => key(e, i)}
                >
                  {m.title}
                </button>
                <div className={'sub sub-' + m.contentType + (open === i ? ' sub-on' : '')}>
                  <ul>
                    {m.submenu.map((s) => (
                      <li key={s.url}>
                        <Link href={s.url}>
                          {m.contentType === 'cards' && (
                            <img src={s.img} width="80" height="45" alt="" loading="lazy" />
                          )}
                          <b>{s.title}</b>
                          <span>{s.description}</span>
                        </Link>
                      </li>
                    ))}
                  </ul>
                </div>
              </li>
            ))}
          </ul>
        </nav>
        <div className="hd-lang">
          <button type="button" aria-expanded={langs} onClick={() => setLangs(!langs)}>
            {lang.toUpperCase()}
          </button>
          {langs && (
            <ul onMouseLeave={() => setLangs(false)}>
              {languages.map((l) => (
                <li key={l}>
                  <a href={`https://${l}.example.com/`}>{l}</a>
                </li>
              ))}
            </ul>
          )}
        </div>
        <Link href="/contact-us/" className="btn">
          Contact us
        </Link>
        <button
          type="button"
          className="hd-burger"
          aria-label="Menu"
          aria-expanded={burger}
          onClick={() => {
            setBurger(!burger);
            setStack([]);
          }}
        >
          ≡
        </button>
      </div>
      {burger && (
        <div className="mob">
          {stack.length > 0 && (
            <button type="button" onClick={() => setStack(stack.slice(0, -1))}>
              Back
            </button>
          )}
          <ul>
            {stack.length === 0
              ? menu.map((m, i) => (
                  <li key={m.key}>
                    <button type="button" onClick={() => setStack([i])}>
                      {m.title}
                    </button>
                  </li>
                ))
              : menu[stack[0]].submenu.map((s) => (
                  <li key={s.url}>
                    <Link href={s.url}>{s.title}</Link>
                  </li>
                ))}
          </ul>
        </div>
      )}
    </header>
  );
}
