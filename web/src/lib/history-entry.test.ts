import '../testing/dom.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeBrowser } from '../testing/fake-browser.ts';
import { keepInEntry, readFromEntry } from './history-entry.ts';

beforeEach(() => history.replaceState(null, ''));
afterEach(() => void vi.unstubAllGlobals());

describe.each([
  ['by the Navigation API', () => void new FakeBrowser('/news')],
  ['without it', () => {}],
])('what is kept with a history entry (%s)', (_, begin) => {
  beforeEach(begin);

  it('is nothing at first', () => {
    expect(readFromEntry('list')).toBeUndefined();
  });

  it('is there by its name, the latest', () => {
    keepInEntry('list', { items: [1], next: 2 });
    keepInEntry('offices', 'hub');
    keepInEntry('list', { items: [1, 2], next: null });
    expect([readFromEntry('list'), readFromEntry('offices')]).toEqual([{ items: [1, 2], next: null }, 'hub']);
  });
});

it('belongs to its entry alone', () => {
  const browser = new FakeBrowser('/news');
  keepInEntry('list', 'nine');
  browser.click('/news#archive');
  expect(readFromEntry('list')).toBeUndefined();
});

it('is lost without harm where the browser refuses it', () => {
  vi.spyOn(history, 'replaceState').mockImplementation(() => {
    throw new DOMException('too often', 'SecurityError');
  });
  expect(() => keepInEntry('list', 'nine')).not.toThrow();
});
