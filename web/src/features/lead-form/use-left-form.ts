import { useEffect, useRef } from 'react';

/** Calls `leave` when the document goes away, and when another page replaces the form's page in it. */
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
