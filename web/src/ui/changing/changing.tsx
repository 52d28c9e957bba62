interface ChangingProps {
  /** Empty for nothing. */
  children: string;
}

/**
 * Changing text of an island: the element is replaced together with its text. Browser translation removes text nodes from the page,
 * so later changes of them are invisible. For a single number, `translate="no"` is enough.
 */
export function Changing({ children }: ChangingProps) {
  return children === '' ? null : <span key={children}>{children}</span>;
}
