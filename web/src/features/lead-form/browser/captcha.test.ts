import '../../../testing/dom.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CAPTCHA_LIMIT_MS, CAPTCHA_TOKEN_KEPT_MS } from '../../../constants.ts';
import { NO_TOKEN, startCaptcha } from './captcha.ts';
import { solveAltcha } from './solve-altcha.ts';

const loadScript = vi.hoisted(() => vi.fn<(name: string) => void>());
vi.mock('../../../runtime/third-party/load-scripts.ts', () => ({ loadScript }));
vi.mock(import('./solve-altcha.ts'), () => ({ solveAltcha: vi.fn() }));

const solve = vi.mocked(solveAltcha);
const KEY = 'a-key-of-the-site';

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  document.body.innerHTML = '';
  loadScript.mockReset();
  solve.mockReset().mockResolvedValueOnce('first').mockResolvedValueOnce('second');
});
afterEach(() => {
  vi.useRealTimers();
  for (const name of ['grecaptcha', 'turnstile']) Reflect.deleteProperty(window, name);
});

/** The token that is taken, however long it takes. */
async function tokenOf(captcha: ReturnType<typeof startCaptcha>): Promise<string> {
  const token = captcha.takeToken();
  await vi.advanceTimersByTimeAsync(CAPTCHA_LIMIT_MS);
  return token;
}

describe('the own captcha', () => {
  const start = () => startCaptcha({ provider: 'altcha', siteKey: null });

  it('is solved at the first focus, and each token goes once', async () => {
    const captcha = start();
    expect(solve).not.toHaveBeenCalled();
    captcha.begin();
    captcha.begin();
    expect(await tokenOf(captcha)).toBe('first');
    expect(solve).toHaveBeenCalledTimes(1);
    expect(await tokenOf(captcha)).toBe('second');
  });

  it('is solved again where the token is too old', async () => {
    const captcha = start();
    captcha.begin();
    await vi.advanceTimersByTimeAsync(CAPTCHA_TOKEN_KEPT_MS);
    expect(await tokenOf(captcha)).toBe('second');
  });

  it('that fails lets the form go without a token', async () => {
    solve.mockReset().mockRejectedValue(new Error('no worker'));
    expect(await tokenOf(start())).toBe(NO_TOKEN);
  });

  it('that takes too long lets the form go without a token', async () => {
    solve.mockReset().mockReturnValue(new Promise(() => {}));
    const token = start().takeToken();
    const late = vi.fn();
    void token.then(late);
    await vi.advanceTimersByTimeAsync(CAPTCHA_LIMIT_MS - 1);
    expect(late).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await token).toBe(NO_TOKEN);
  });
});

describe('the captcha of another provider', () => {
  it('reCAPTCHA is asked with the key of the site and what it is for, once its script has come', async () => {
    const captcha = startCaptcha({ provider: 'recaptcha', siteKey: KEY });
    captcha.begin();
    await vi.advanceTimersByTimeAsync(500);
    expect(loadScript.mock.calls).toEqual([['captcha']]);
    Object.assign(window, {
      grecaptcha: {
        ready: (then: () => void) => setTimeout(then, 50),
        execute: async (key: string, { action }: { action: string }) => `${key} ${action}`,
      },
    });
    expect(await tokenOf(captcha)).toBe(`${KEY} submit`);
  });

  it('Turnstile has a place in the page while it thinks, and none after', async () => {
    const remove = vi.fn();
    Object.assign(window, {
      turnstile: {
        render(
          place: HTMLElement,
          { sitekey, action, callback }: { sitekey: string; action: string; callback: (token: string) => void },
        ) {
          expect(place.isConnected).toBe(true);
          setTimeout(callback, 50, `${sitekey} ${action}`);
          return 'widget';
        },
        remove,
      },
    });
    expect(await tokenOf(startCaptcha({ provider: 'turnstile', siteKey: KEY }))).toBe(`${KEY} submit`);
    expect([remove.mock.calls, document.body.children.length]).toEqual([[['widget']], 0]);
  });

  it('whose script never comes lets the form go without a token', async () => {
    expect(await tokenOf(startCaptcha({ provider: 'recaptcha', siteKey: KEY }))).toBe(NO_TOKEN);
  });
});
