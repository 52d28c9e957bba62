import '../../../testing/dom.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { noticeLanguage } from './notice-language.ts';

const EN = 'https://international.example';
const shown = vi.fn();

beforeEach(() => {
  shown.mockClear();
  HTMLDialogElement.prototype.showModal = shown;
  document.documentElement.dataset['international'] = EN;
  document.body.innerHTML = `
    <a id="there" href="${EN}/blueprint?x=1#y"><b>Guides</b></a>
    <a id="here" href="/about-us">About</a>
    <a id="elsewhere" href="https://other.example/">Other</a>
    <details data-switcher><a id="switcher" href="${EN}/">English</a></details>
    <dialog data-language-notice><a id="onward" href="/">Continue</a></dialog>`;
  noticeLanguage();
});

function click(id: string, how: MouseEventInit = {}): boolean {
  const target = document.querySelector(`#${id} b`) ?? document.getElementById(id);
  return target?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ...how })) ?? false;
}

describe('a link to the international site', () => {
  it('opens the notice, whose way on is the link', () => {
    expect(click('there')).toBe(false);
    expect(shown).toHaveBeenCalledOnce();
    expect(document.querySelector<HTMLAnchorElement>('#onward')?.href).toBe(`${EN}/blueprint?x=1#y`);
  });

  it.each([{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { altKey: true }, { button: 1 }])(
    'is left alone with %o',
    (how) => {
      expect(click('there', how)).toBe(true);
      expect(shown).not.toHaveBeenCalled();
    },
  );
});

it.each(['here', 'elsewhere', 'switcher'])('%s just navigates', (id) => {
  click(id);
  expect(shown).not.toHaveBeenCalled();
});

it('the way on out of the notice is not noticed again', () => {
  click('there');
  expect(click('onward')).toBe(true);
  expect(shown).toHaveBeenCalledOnce();
});
