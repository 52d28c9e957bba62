/**
 * The captcha's token for a form (spec §5, §7): made when somebody begins to fill it in, used when they send it. Whatever fails,
 * the form goes with `no-token`.
 */
import { CAPTCHA_LIMIT_MS, CAPTCHA_TOKEN_KEPT_MS } from '../../../constants.ts';
import type { CaptchaProvider } from '../../../contract/index.ts';

export const NO_TOKEN = 'no-token';

/** Spec §7: what the token is for. */
const ACTION = 'submit';

export interface Captcha {
  /** At the form's first focus. */
  begin(): void;
  /** Each is used once. Never rejects, and never takes long. */
  takeToken(): Promise<string>;
}

type Solve = () => Promise<string>;

export function startCaptcha(provider: CaptchaProvider): Captcha {
  const solve = solvers[provider];
  let made: { token: Promise<string>; at: number } | null = null;

  function begin() {
    if (made && performance.now() - made.at < CAPTCHA_TOKEN_KEPT_MS) return made.token;
    const token = solve().catch((error: unknown) => {
      console.warn('The captcha gave no token; the form is sent without one.', error);
      return NO_TOKEN;
    });
    made = { token, at: performance.now() };
    return token;
  }

  return {
    begin: () => void begin(),
    takeToken() {
      const token = begin();
      made = null;
      const late = new Promise<string>((resolve) => setTimeout(resolve, CAPTCHA_LIMIT_MS, NO_TOKEN));
      return Promise.race([token, late]);
    },
  };
}

const solvers: { [Provider in CaptchaProvider]: Solve } = {
  altcha: async () => (await import('./solve-altcha.ts')).solveAltcha(),
  recaptcha: () =>
    new Promise((resolve, reject) => {
      const { grecaptcha } = window as RecaptchaWindow;
      const key = readScriptParameter('render');
      if (!grecaptcha || !key) throw new Error('No script of the site has brought reCAPTCHA.');
      grecaptcha.ready(() => grecaptcha.execute(key, { action: ACTION }).then(resolve, reject));
    }),
  turnstile: () =>
    new Promise((resolve, reject) => {
      const { turnstile } = window as TurnstileWindow;
      const key = readScriptParameter('sitekey');
      if (!turnstile || !key) throw new Error('No script of the site has brought Turnstile.');
      const place = document.createElement('div');
      place.hidden = true;
      document.body.append(place);
      turnstile.render(place, {
        sitekey: key,
        action: ACTION,
        callback: resolve,
        'error-callback': () => reject(new Error('Turnstile could not tell.')),
      });
    }),
  none: async () => NO_TOKEN,
};

interface RecaptchaWindow extends Window {
  grecaptcha?: { ready(then: () => void): void; execute(key: string, options: { action: string }): Promise<string> };
}

interface TurnstileWindow extends Window {
  turnstile?: { render(place: HTMLElement, options: Record<string, unknown>): void };
}

/** The provider's script is one of the site's deferred scripts, loaded at the first scroll; the site's key is in its address. */
function readScriptParameter(name: string): string | null {
  const script = document.querySelector<HTMLScriptElement>('script[data-deferred="captcha"]');
  return script ? new URL(script.src).searchParams.get(name) : null;
}
