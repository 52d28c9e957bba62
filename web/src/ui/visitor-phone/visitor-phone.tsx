import type { Phone } from '../../contract/types.ts';
import { Phone as PhoneLink } from '../phone/phone.tsx';

/**
 * The number for this visitor. All numbers are in the page; `domain/visitor.ts` decides which is shown, and until then
 * it is the default.
 */
export function VisitorPhone({ phones }: { phones: readonly Phone[] }) {
  return phones.map(({ id, phone, isDefault }) => (
    <span key={id} data-phone-id={id} hidden={!isDefault}>
      <PhoneLink number={phone} />
    </span>
  ));
}
