import { describe, expect, it } from 'vitest';
import { draftKey, readDraft, writeDraft } from './form-draft.ts';
import { EMPTY } from './lead-values.ts';

const DRAFT = {
  key: '1f',
  step: 2,
  secondsOpen: 40.5,
  values: { ...EMPTY, message: 'Half a sen', services: ['other'], privacyAccepted: true },
};

describe('a draft', () => {
  it('is the same when it is read again', () => {
    expect(readDraft(writeDraft(DRAFT), 4)).toEqual(DRAFT);
    expect(draftKey('contact')).toBe('formDraft:contact');
  });

  it('has nothing of the honeypot', () => {
    const stored = writeDraft({ ...DRAFT, values: { ...DRAFT.values, website: 'spam' } });
    expect(stored).not.toContain('spam');
    expect(readDraft(stored, 4)?.values.website).toBe('');
  });

  it.each([null, '', '{', 'null', '1', '[]', '{}', '{"key":""}', '{"key":1}'])('that is none is none: %j', (stored) => {
    expect(readDraft(stored, 4)).toBeNull();
  });

  it('of another version of the form keeps what fits', () => {
    const stored = JSON.stringify({
      key: '1f',
      step: 9,
      secondsOpen: -1,
      values: { contact: { name: 'A', email: 7 }, team: [null, { role: 'qa' }], services: ['a', 1], gone: true },
    });
    expect(readDraft(stored, 4)).toEqual({
      key: '1f',
      step: 3,
      secondsOpen: 0,
      values: {
        ...EMPTY,
        contact: { ...EMPTY.contact, name: 'A' },
        services: ['a'],
        team: [
          { role: '', seniority: '', count: '' },
          { role: 'qa', seniority: '', count: '' },
        ],
      },
    });
  });
});
