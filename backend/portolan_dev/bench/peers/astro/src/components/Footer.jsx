import Link from './Link.jsx';

export default function Footer({ footer, offices, social, company }) {
  return (
    <footer className="ft">
      <div className="wrap">
        <section className="ft-off">
          <h2>Our offices</h2>
          <ul>
            {offices.map((o) => (
              <li key={o.id}>
                <span className={'ic ic-' + o.category.icon} aria-hidden="true" />
                <em>{o.category.name}</em>
                <b>{o.city}</b>
                <address>{o.address}</address>
                <a href={'tel:' + o.phone.replace(/ /g, '')}>{o.phone}</a>
              </li>
            ))}
          </ul>
          <Link href="/about-us/#offices">See more</Link>
        </section>
        <div className="ft-links">
          {footer.map((g) => (
            <section key={g.title}>
              <h3>{g.title}</h3>
              <ul>
                {g.links.map((l, i) => (
                  <li key={i}>
                    <Link href={l.link}>{l.title}</Link>
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
        <ul className="ft-soc">
          {social.map((s) => (
            <li key={s}>
              <a href={`https://${s}.example.com/`} target="_blank" rel="nofollow noopener" aria-label={s}>
                <span className={'ic ic-' + s} />
              </a>
            </li>
          ))}
        </ul>
        <p className="ft-copy">
          © 2026 {company}. All rights reserved. <Link href="/privacy-policy/">Privacy policy</Link>{' '}
          <Link href="/cookies-policy/">Cookies policy</Link> This site is protected by a captcha.
        </p>
      </div>
    </footer>
  );
}
