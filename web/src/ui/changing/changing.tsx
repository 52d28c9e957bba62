interface ChangingProps {
  /** Empty for nothing. */
  children: string;
}

/**
 * Text of an island that changes: an element that is replaced with its text. Browser translation takes text nodes out of the
 * page, and what is written into them later is not seen. For a figure on its own, `translate="no"` does.
 */
export function Changing({ children }: ChangingProps) {
  return children === '' ? null : <span key={children}>{children}</span>;
}
