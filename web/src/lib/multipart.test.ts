import { describe, expect, it } from 'vitest';
import { encodeMultipart, type MultipartFields } from './multipart.ts';

function fieldsOf(form: MultipartFields): [string, unknown][] {
  return [...encodeMultipart(form)];
}

describe('a multipart form', () => {
  it('names nested values by their way down', () => {
    const team = [
      { role: 'back-end', seniority: 'senior', count: 2 },
      { role: 'design', seniority: 'lead', count: 1 },
    ];
    expect(fieldsOf({ contact: { name: 'A', company: { city: 'Łódź' } }, services: ['devops', 'iot'], team })).toEqual([
      ['contact[name]', 'A'],
      ['contact[company][city]', 'Łódź'],
      ['services[0]', 'devops'],
      ['services[1]', 'iot'],
      ['team[0][role]', 'back-end'],
      ['team[0][seniority]', 'senior'],
      ['team[0][count]', '2'],
      ['team[1][role]', 'design'],
      ['team[1][seniority]', 'lead'],
      ['team[1][count]', '1'],
    ]);
  });

  it('leaves out what is null, wherever it stands, and keeps the others in their place', () => {
    expect(fieldsOf({ a: null, b: { c: undefined, d: null }, e: [null, 'x'], f: [], g: {} })).toEqual([['e[1]', 'x']]);
  });

  it('keeps what is empty, false or zero', () => {
    expect(fieldsOf({ website: '', privacyAccepted: false, months: 0 })).toEqual([
      ['website', ''],
      ['privacyAccepted', 'false'],
      ['months', '0'],
    ]);
  });

  it('carries files with their names', () => {
    const file = new File(['%PDF-'], 'Anforderungen.pdf', { type: 'application/pdf' });
    const [[name, value] = []] = fieldsOf({ attachments: [file] });
    expect(name).toBe('attachments[0]');
    expect(value).toBeInstanceOf(File);
    expect(value).toMatchObject({ name: 'Anforderungen.pdf', size: 5, type: 'application/pdf' });
  });
});
