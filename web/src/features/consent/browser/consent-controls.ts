/** The buttons of the banner, the notice and the settings (spec §4 Consent banner). */
import {
  ALL,
  type Consent,
  type ConsentInput,
  chooseConsent,
  decideConsent,
  NOTHING,
  PURPOSES,
  type Purpose,
  type SavedConsent,
} from '../../../domain/consent.ts';
import type { VisitorSettings } from '../../../domain/visitor.ts';
import { isGranted } from '../../../lib/consent.ts';
import { announceConsent, applyConsent, keepConsent, keepSeen, readConsentInput } from '../../../lib/keep-consent.ts';
import { type ConsentMethod, recordConsent } from './record-consent.ts';

const STATUS_STAYS_MS = 8000;

const root = document.documentElement;
let statusTimer: ReturnType<typeof setTimeout> | undefined;
let latest: SavedConsent | undefined;

/** One of the controls was pressed. */
export function press(control: HTMLElement): void {
  const { consentChoice, consentMore } = control.dataset;
  if (consentChoice === 'accept' || consentChoice === 'reject') {
    if (root.dataset['consent'] === 'nothing') return; // pressed twice while this code was on its way
    save(consentChoice === 'accept' ? ALL : NOTHING, consentChoice, control);
    moveOn(control);
  } else if (consentMore) toggleDetails(control);
  else openSettings(control);
}

/** The visitor has chosen in another tab, or on the page before. */
export function catchUp(): void {
  const state = decideConsent(readInput());
  const isChanged = PURPOSES.some((purpose) => isGranted(purpose) !== state.granted[purpose]);
  applyConsent(state);
  if (isChanged) announceConsent(state.granted);
}

function readInput(): ConsentInput {
  const { rules }: VisitorSettings = JSON.parse(document.getElementById('_visitor')?.textContent ?? '');
  return readConsentInput(rules, root.dataset['consentTheme'] === 'gdpr' ? 'gdpr' : 'small');
}

function toggleDetails(button: HTMLElement): void {
  const details = document.getElementById(button.getAttribute('aria-controls') ?? '');
  if (!details) return;
  details.hidden = !details.hidden;
  button.setAttribute('aria-expanded', String(!details.hidden));
  button.textContent = button.dataset[details.hidden ? 'consentMore' : 'consentLess'] ?? '';
}

/** `control` is the button that was pressed: the element around it tells which texts the visitor has read. */
function save(choice: Consent, method: ConsentMethod, control: HTMLElement): void {
  const input = readInput();
  const saved = chooseConsent(choice, input);
  const state = decideConsent({ ...input, saved, seen: true });
  latest = saved;
  keepConsent(saved);
  if (input.theme === 'small') keepSeen();
  applyConsent(state);
  announceConsent(state.granted);
  const { textHash = '' } = control.closest<HTMLElement>('[data-text-hash]')?.dataset ?? {};
  void recordConsent({ policyVersion: input.policyVersion, textHash, choices: state.granted, method }).then(() => {
    if (latest && latest !== saved) keepConsent(latest); // the answer to an earlier choice has brought that one back
  });
}

/** Closing without saving brings back the banner that was there. */
function openSettings(opener: HTMLElement): void {
  const dialog = document.querySelector<HTMLDialogElement>('[data-consent-dialog]');
  if (!dialog || dialog.open) return;
  const known = readInput();
  const { granted } = decideConsent(known);
  const switches = [...dialog.querySelectorAll('input')];
  for (const input of switches) {
    input.checked = PURPOSES.some((purpose) => purpose === input.name && granted[purpose]);
    input.disabled = input.name === 'ad_storage' && known.profile === 'strict' && known.gpc;
  }
  const isOn = (purpose: Purpose) => switches.some((input) => input.name === purpose && input.checked);
  const leave = () => {
    if (dialog.returnValue !== 'save') {
      catchUp();
      opener.focus();
      return;
    }
    save({ ad_storage: isOn('ad_storage'), analytics_storage: isOn('analytics_storage') }, 'settings', dialog);
    moveOn(opener);
  };
  dialog.returnValue = '';
  dialog.addEventListener('close', leave, { once: true });
  root.dataset['consent'] = 'nothing';
  dialog.showModal();
}

/**
 * The focus stays on the pressed button; if that leaves with its notice, it moves to the main part. Then the page announces that
 * the choice is saved.
 */
function moveOn(control: HTMLElement): void {
  const next = control.closest('section[data-consent-theme]') ? document.getElementById('_main') : control;
  next?.focus({ preventScroll: true });
  const status = document.querySelector<HTMLElement>('[data-consent-status]');
  if (!status) return;
  clearTimeout(statusTimer);
  status.textContent = status.dataset['consentStatus'] ?? '';
  statusTimer = setTimeout(() => status.replaceChildren(), STATUS_STAYS_MS);
}
