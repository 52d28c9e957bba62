/**
 * The captcha's token for a form (spec §5, §7): made when a visitor starts to fill the form in, used when they send it. If
 * anything fails, the form is sent with `no-token`.
 */
import { CAPTCHA_LIMIT_MS, CAPTCHA_TOKEN_KEPT_MS } from '../../../constants.ts';
import type { CaptchaSettings } from '../../../contract/types.ts';

export const NO_TOKEN = 'no-token';

/** Spec §7: the purpose of the token. */
const ACTION = 'submit';

const LOOK_AGAIN_MS = 100;

export interface Captcha {
  /** At the form's first focus. */
  begin(): void;
  /** Each token is used once. Never rejects, and has a short time limit. */
  takeToken(): Promise<string>;
}

type Solve = () => Promise<string>;

export function startCaptcha({ provider, siteKey }: CaptchaSettings): Captcha {
  const solve = solvers(siteKey ?? '')[provider];
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

const solvers = (sitekey: string): { [Provider in CaptchaSettings['provider']]: Solve } => ({
  altcha: async () => (await import('./solve-altcha.ts')).solveAltcha(),
  async recaptcha() {
    const grecaptcha = await bring('grecaptcha');
    await new Promise<void>((resolve) => grecaptcha.ready(resolve));
    return grecaptcha.execute(sitekey, { action: ACTION });
  },
  async turnstile() {
    const turnstile = await bring('turnstile');
    const place = document.createElement('div');
    document.body.append(place); // the provider decides about its content; as a rule it stays empty
    const widget = { id: '' };
    try {
      return await new Promise<string>((resolve, reject) => {
        const fail = () => reject(new Error('Turnstile could not tell.'));
        widget.id = turnstile.render(place, { sitekey, action: ACTION, callback: resolve, 'error-callback': fail });
      });
    } finally {
      turnstile.remove(widget.id);
      place.remove();
    }
  },
  none: async () => NO_TOKEN,
});

interface Providers {
  grecaptcha: {
    ready(then: () => void): void;
    execute(key: string, options: { action: string }): PromiseLike<string>;
  };
  turnstile: {
    render(place: HTMLElement, options: Record<string, unknown>): string;
    remove(widget: string): void;
  };
}

/**
 * The global that the provider's script defines. It is one of the site's deferred scripts, which load at the first
 * scroll. Before that it is missing, and the form does not wait for it.
 */
async function bring<Name extends keyof Providers>(name: Name): Promise<Providers[Name]> {
  (await import('../../../runtime/third-party/load-scripts.ts')).loadScript('captcha');
  for (const began = performance.now(); performance.now() - began < CAPTCHA_LIMIT_MS; ) {
    const there = (window as Partial<Providers>)[name];
    if (there) return there;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
  throw new Error(`No script of the site has brought ${name}.`);
}
