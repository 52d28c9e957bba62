import type { SharedData } from '../../contract/index.ts';
import { Phone } from '../phone/phone.tsx';

/** The number for this visitor. All stand in the page; `domain/visitor.ts` says which one is shown, the default until then. */
export function VisitorPhone({ phones }: { phones: SharedData['phones'] }) {
  return phones.map(({ id, phone, isDefault }) => (
    <span key={id} data-phone-id={id} hidden={!isDefault}>
      <Phone number={phone} />
    </span>
  ));
}
