import Link from './Link.jsx';
import Picture from './Picture.jsx';

const Hero = (b) => (
  <section className="bl hero" id={b.id}>
    <div className="wrap">
      <h1>{b.title}</h1>
      <p>{b.text}</p>
      <Link className="btn" href={b.cta.url}>
        {b.cta.title}
      </Link>
      <Picture img={b.img} eager sizes="(max-width: 960px) 100vw, 50vw" className="hero-img" />
    </div>
  </section>
);
const Stats = (b) => (
  <dl className="stats">
    {b.items.map((s, i) => (
      <div key={i}>
        <dd>{s.value}</dd>
        <dt>{s.label}</dt>
      </div>
    ))}
  </dl>
);
const Cards = (b) => (
  <ul className="cards">
    {b.items.map((c, i) => (
      <li key={i}>
        <span className={'ic ic-' + c.icon} aria-hidden="true" />
        <h3>{c.title}</h3>
        <p>{c.text}</p>
        <Link href={c.url} aria-label={c.title}>
          Learn more
        </Link>
      </li>
    ))}
  </ul>
);
const Logos = (b) => (
  <ul className="logos">
    {b.items.map((l, i) => (
      <li key={i}>
        <img src={l.url} alt={l.name} width="120" height="40" loading="lazy" />
      </li>
    ))}
  </ul>
);
const Testimonials = (b) => (
  <ul className="tst">
    {b.items.map((t, i) => (
      <li key={i}>
        <blockquote>{t.quote}</blockquote>
        <Picture img={t.img} />
        <cite>
          {t.name}, {t.role}
        </cite>
      </li>
    ))}
  </ul>
);
const Faq = (b) => (
  <div className="faq">
    {b.items.map((f, i) => (
      <details key={i}>
        <summary>{f.q}</summary>
        <p>{f.a}</p>
      </details>
    ))}
  </div>
);
const RichText = (b) => <div className="rich" dangerouslySetInnerHTML={{ __html: b.html }} />;
const CaseTeasers = (b) => (
  <ul className="cases">
    {b.items.map((c, i) => (
      <li key={i}>
        <Picture img={c.img} />
        <h3>
          <Link href={c.url}>{c.title}</Link>
        </h3>
        <p>{c.text}</p>
        <ul className="tags">
          {c.tags.map((t, j) => (
            <li key={j}>{t}</li>
          ))}
        </ul>
      </li>
    ))}
  </ul>
);
const Form = (b) => (
  <form className="form" action={b.action} method="post" encType="multipart/form-data">
    <p>{b.text}</p>
    {['name', 'email', 'phone', 'company'].map((n) => (
      <label key={n}>
        <span>{n}</span>
        <input name={n} type={n === 'email' ? 'email' : n === 'phone' ? 'tel' : 'text'} required={n !== 'company'} />
      </label>
    ))}
    <label>
      <span>country</span>
      <select name="country">
        {b.countries.map((c) => (
          <option key={c}>{c}</option>
        ))}
      </select>
    </label>
    <label>
      <span>message</span>
      <textarea name="message" rows="5" />
    </label>
    <label className="chk">
      <input type="checkbox" name="agree" required />{' '}
      <span>
        I agree to the <Link href="/privacy-policy/">privacy policy</Link>
      </span>
    </label>
    <button className="btn">Send</button>
  </form>
);
const map = {
  stats: Stats,
  cards: Cards,
  logos: Logos,
  testimonials: Testimonials,
  faq: Faq,
  richtext: RichText,
  caseTeasers: CaseTeasers,
  form: Form,
};

export default function Blocks({ blocks }) {
  return blocks.map((b) => {
    if (b.type === 'hero') return <Hero key={b.id} {...b} />;
    const C = map[b.type];
    return (
      <section key={b.id} id={b.id} className={'bl bl-' + b.type}>
        <div className="wrap">
          <h2>{b.title}</h2>
          <C {...b} />
        </div>
      </section>
    );
  });
}
