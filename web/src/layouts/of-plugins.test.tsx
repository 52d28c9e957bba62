import { describe, expect, it } from 'vitest';
import { pageExample } from '../../scripts/examples.ts';
import { layoutOf, requireLayout } from './of-plugins.ts';

const page = pageExample();

describe('layouts of plugins', () => {
  it('are found by the family, and the product’s families have none', () => {
    const layout = { hasAnchorMenu: true };
    expect(layoutOf({ template: 'branch' as 'home' }, new Map([['branch', layout]]))).toBe(layout);
    expect(layoutOf(page)).toBeUndefined();
  });

  it('have to be there for a page whose own fields nothing else would show', () => {
    expect(() => requireLayout(page)).not.toThrow();
    const lost = { template: 'service-plan' as 'home', fields: { summary: '' } };
    expect(() => requireLayout(lost)).toThrow(/service-plan; run "portolan build".* service_plan\.layout\.tsx/);
  });
});
