import { Fragment, type ReactNode } from 'react';

/** The parts of an address, so that a line ends between two of them rather than in a postcode. */
export function splitAddress(address: string): ReactNode {
  return address.split(/(?<=[,،]) /).map((part, index) => (
    <Fragment key={part}>
      {index > 0 && ' '}
      <span>{part}</span>
    </Fragment>
  ));
}
