import { useEffect, useRef } from 'react';

/** Calls `leave` when the page goes away, and when the form goes with a page that another one follows in the document. */
export function useLeftForm(leave: () => void): void {
  const latest = useRef(leave);
  latest.current = leave;
  useEffect(() => {
    const call = () => latest.current();
    addEventListener('pagehide', call);
    return () => {
      removeEventListener('pagehide', call);
      call();
    };
  }, []);
}
