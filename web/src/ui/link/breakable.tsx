import type { ReactNode } from 'react';

/** A title that is an e-mail address breaks after its @, where a line is too short for it. */
export function breakable(title: string): ReactNode {
  const host = title.indexOf('@') + 1;
  if (host === 0) return title;
  return (
    <span>
      {title.slice(0, host)}
      <wbr />
      {title.slice(host)}
    </span>
  );
}
