import type { Phone } from '../../contract/types.ts';
import { Phone as PhoneLink } from '../phone/phone.tsx';

/** The number for this visitor. All stand in the page; `domain/visitor.ts` says which one is shown, the default until then. */
export function VisitorPhone({ phones }: { phones: readonly Phone[] }) {
  return phones.map(({ id, phone, isDefault }) => (
    <span key={id} data-phone-id={id} hidden={!isDefault}>
      <PhoneLink number={phone} />
    </span>
  ));
}
