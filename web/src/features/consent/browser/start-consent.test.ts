import '../../../testing/dom.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ownListeners } from '../../../testing/own-listeners.ts';
import { startConsent } from './start-consent.ts';

const controls = vi.hoisted(() => ({ press: vi.fn<(control: HTMLElement) => void>(), catchUp: vi.fn<() => void>() }));
const keepClear = vi.hoisted(() => vi.fn<() => void>());
vi.mock('./consent-controls.ts', () => controls);
vi.mock('./keep-clear.ts', () => ({ keepClear }));

const { dataset } = document.documentElement;

ownListeners(document, window);
beforeEach(() => {
  for (const mock of [controls.press, controls.catchUp, keepClear]) mock.mockClear();
  keepCookie('none');
  dataset['consent'] = 'gdpr';
  document.body.innerHTML =
    '<button data-consent-choice="accept"><b>Accept</b></button><button data-consent-settings>Settings</button><button id="other"></button>';
});

function keepCookie(value: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: a test of cookies
  document.cookie = `consent_status=${value}; Path=/`;
}

it('what is pressed is handed on, and nothing else is', async () => {
  startConsent();
  for (const element of document.querySelectorAll<HTMLElement>('b, [data-consent-settings], #other')) element.click();
  await vi.dynamicImportSettled();
  expect(controls.press.mock.calls.map(([control]) => Object.keys(control.dataset))).toEqual([
    ['consentChoice'],
    ['consentSettings'],
  ]);
});

it.each([
  ['gdpr', 1],
  ['small', 1],
  ['nothing', 0],
])('the page keeps clear of what is shown: %s', async (shows, times) => {
  dataset['consent'] = shows;
  startConsent();
  await vi.dynamicImportSettled();
  expect(keepClear).toHaveBeenCalledTimes(times);
});

describe('a page that comes back into sight', () => {
  it.each([
    ['visibilitychange', document],
    ['pageshow', window],
  ])('(%s) catches up with a choice that was made elsewhere, once', async (type, target) => {
    startConsent();
    const come = async () => {
      target.dispatchEvent(new Event(type));
      await vi.dynamicImportSettled();
    };
    await come();
    expect(controls.catchUp).not.toHaveBeenCalled();
    keepCookie('all');
    await come();
    await come();
    expect(controls.catchUp).toHaveBeenCalledTimes(1);
  });
});
