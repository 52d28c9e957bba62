/** What the page runtime, parts and islands put into the page goes through this policy. */
import { trustPolicy } from './trust-policy.ts';

export const trusted = trustPolicy('portolan');
