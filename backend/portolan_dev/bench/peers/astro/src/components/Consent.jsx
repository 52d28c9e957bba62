'use client';
import { useEffect, useState } from 'react';

export default function Consent({ consent }) {
  const [on, setOn] = useState(false),
    [more, setMore] = useState(false),
    [manage, setManage] = useState(false);
  const [c, setC] = useState({ ad_storage: true, analytics_storage: true });
  useEffect(() => {
    try {
      setOn(!localStorage.getItem('consent'));
    } catch {
      setOn(true);
    }
  }, []);
  const save = (v) => {
    try {
      localStorage.setItem('consent', JSON.stringify(v));
    } catch {}
    setOn(false);
  };
  if (!on) return null;
  return (
    <div className="ck" role="dialog" aria-label={consent.title}>
      <b>{consent.title}</b>
      <p>
        {consent.text}
        {more && ' ' + consent.more}
      </p>
      {manage && (
        <p>
          {Object.keys(c).map((k) => (
            <label key={k}>
              <input type="checkbox" checked={c[k]} onChange={() => setC({ ...c, [k]: !c[k] })} /> {k}
            </label>
          ))}
        </p>
      )}
      <button type="button" onClick={() => setMore(!more)}>
        {more ? 'Hide' : 'Show more'}
      </button>
      <button type="button" onClick={() => setManage(!manage)}>
        Manage
      </button>
      <button type="button" className="btn" onClick={() => save(c)}>
        Accept
      </button>
    </div>
  );
}
