import '../../testing/dom.ts';
import { describe, expect, it, vi } from 'vitest';
import { takeTyped } from './typed.ts';

function form(html: string): HTMLElement {
  const container = document.createElement('div');
  container.innerHTML = html;
  document.body.replaceChildren(container);
  return container;
}

/** The one field there is. */
function find<T extends Element>(container: Element, type: new () => T): T {
  const found = container.querySelector('input, textarea, select');
  if (!(found instanceof type)) throw new Error(`no ${type.name}`);
  return found;
}

describe('what was typed before React was there', () => {
  it.each([
    ['<input value="a">', HTMLInputElement],
    ['<textarea>a</textarea>', HTMLTextAreaElement],
  ] as const)('in %s comes back with an event', (html, type) => {
    const container = form(html);
    const field = find<HTMLInputElement | HTMLTextAreaElement>(container, type);
    field.value = 'typed';
    const heard: string[] = [];
    field.addEventListener('input', () => heard.push(field.value));
    const giveBack = takeTyped(container);
    expect(field.value).toBe('a');
    giveBack();
    expect([field.value, heard]).toEqual(['typed', ['typed']]);
  });

  it('comes back with the caret where it was, in the field one is in', () => {
    const container = form('<input value="a"><textarea></textarea>');
    const [here, elsewhere] = [container.querySelector('input'), container.querySelector('textarea')];
    if (!here || !elsewhere) throw new Error('two fields');
    here.value = elsewhere.value = 'typed';
    here.focus();
    here.setSelectionRange(2, 3);
    const moved = vi.spyOn(elsewhere, 'setSelectionRange');
    takeTyped(container)();
    expect([here.value, here.selectionStart, here.selectionEnd]).toEqual(['typed', 2, 3]);
    expect(moved, 'in some browsers this takes the focus away').not.toHaveBeenCalled();
  });

  it('comes back in a field without a caret, too', () => {
    const container = form('<input type="email">');
    const field = find(container, HTMLInputElement);
    field.value = 'a@b.example';
    field.focus();
    takeTyped(container)();
    expect(field.value).toBe('a@b.example');
  });

  it('leaves a chosen file alone: a script could not choose it again', () => {
    const container = form('<input type="file">');
    const field = find(container, HTMLInputElement);
    const set = vi.fn();
    Object.defineProperty(field, 'value', { get: () => 'C:\\fakepath\\cv.pdf', set });
    takeTyped(container)();
    expect(set).not.toHaveBeenCalled();
  });

  it.each([
    '<input value="a">',
    '<select><option>x<option>y</select>',
    '<select><option>x<option selected>y</select>',
    '<select multiple><option>x<option>y</select>',
    '<input type="checkbox" checked>',
  ])('leaves alone what nobody touched: %s', (html) => {
    const container = form(html);
    let events = 0;
    for (const type of ['input', 'change', 'click']) container.addEventListener(type, () => events++);
    takeTyped(container)();
    expect(events).toBe(0);
  });

  it('brings back a tick as a click', () => {
    const container = form('<input type="checkbox">');
    const box = find(container, HTMLInputElement);
    box.checked = true;
    let clicks = 0;
    box.addEventListener('click', () => clicks++);
    const giveBack = takeTyped(container);
    expect(box.checked).toBe(false);
    giveBack();
    expect([box.checked, clicks]).toEqual([true, 1]);
  });

  it('brings back the radio button that was chosen', () => {
    const container = form('<input type="radio" name="r" value="1" checked><input type="radio" name="r" value="2">');
    const [, second] = container.querySelectorAll('input');
    if (!second) throw new Error('two radio buttons');
    second.checked = true;
    const clicked: EventTarget[] = [];
    container.addEventListener('click', ({ target }) => target && clicked.push(target));
    const giveBack = takeTyped(container);
    expect(second.checked).toBe(false);
    giveBack();
    expect(second.checked).toBe(true);
    expect(clicked, 'the other one hears of it as ever').toEqual([second]);
  });

  it('brings back a choice in a list', () => {
    const container = form('<select><option>x<option>y<option>z</select>');
    const select = find(container, HTMLSelectElement);
    select.value = 'z';
    let changes = 0;
    container.addEventListener('change', () => changes++);
    const giveBack = takeTyped(container);
    expect(select.value).toBe('x');
    giveBack();
    expect([select.value, changes]).toEqual(['z', 1]);
  });
});
