import type { BlockOf } from '../../contract/types.ts';
import { FormSection } from '../../features/lead-form/form-section.tsx';

export function Estimate(block: BlockOf<'estimate'>) {
  return <FormSection {...block} />;
}
