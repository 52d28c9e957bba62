/** The policy for all text that the page runtime, parts and islands put into the page. */
import { trustPolicy } from './trust-policy.ts';

export const trusted = trustPolicy('portolan');
