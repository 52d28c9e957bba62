import { useEffect, useRef, useState } from 'react';
import { trimText } from '../../domain/invisible.ts';
import { validateEmail } from '../../lib/api-client.ts';

/** Text that may be an address with a typing mistake, e.g. `joe@gmail,com`: the server can suggest the right one. */
const WORTH_ASKING = /\S@\S/;

export interface EmailCheck {
  /** The address as it was probably meant; null where there is nothing to ask. */
  suggestion: string | null;
  /** Whether an address is known to receive no e-mail. Unchecked addresses are accepted. */
  isRefused(address: string): boolean;
  /** To be called when the field is left: asks once for each address. Resolves when `isRefused` may have changed. */
  ask(address: string): Promise<void>;
}

/** Asks the API about the address (spec §5, §7). When the call itself fails, the form goes on. */
export function useEmailCheck(id: string, check: (address: string) => void): EmailCheck {
  // The field may have been filled and left before React was there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    const timer = setTimeout(() => {
      const field = document.getElementById(id);
      if (field instanceof HTMLInputElement && field !== document.activeElement && field.value !== '')
        check(field.value);
    });
    return () => clearTimeout(timer);
  }, []);

  const refused = useRef(new Set<string>());
  const asked = useRef('');
  const [suggestion, setSuggestion] = useState<string | null>(null);
  return {
    suggestion,
    isRefused: (address) => refused.current.has(trimText(address)),
    async ask(given) {
      const address = trimText(given);
      if (address === asked.current) return;
      asked.current = address;
      setSuggestion(null);
      if (!WORTH_ASKING.test(address)) return;
      try {
        const verdict = await validateEmail(address);
        if (!verdict.valid) refused.current.add(address);
        if (asked.current === address && verdict.suggestion) setSuggestion(verdict.suggestion);
      } catch (error) {
        console.warn('The e-mail address could not be checked; the form takes it as it is.', error);
      }
    },
  };
}
