import { afterEach, describe, expect, it, vi } from 'vitest';
import { trustPolicy } from './trust-policy.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('a trust policy', () => {
  it('is asked for by its name where the browser has Trusted Types, and what it makes is used', () => {
    const made = { createHTML: () => 'trusted HTML', createScriptURL: () => 'trusted address' };
    const createPolicy = vi.fn(() => made);
    vi.stubGlobal('trustedTypes', { createPolicy });
    const policy = trustPolicy('portolan');
    expect(createPolicy).toHaveBeenCalledExactlyOnceWith('portolan', expect.anything());
    expect([policy.createHTML('<p>'), policy.createScriptURL('/a.js')]).toEqual(['trusted HTML', 'trusted address']);
  });

  it('gives back the text where the browser has none', () => {
    vi.stubGlobal('trustedTypes', undefined);
    const policy = trustPolicy('visitor');
    expect([policy.createHTML('<p>'), policy.createScriptURL('/a.js')]).toEqual(['<p>', '/a.js']);
  });
});
