/**
 * What a visitor put into a form before React was there. React would not hear of it: the field would show one thing and
 * its state say another. So the field goes back to what the page said, and gets the visitor's input again afterwards.
 */
export function takeTyped(container: Element): () => void {
  const restore: (() => void)[] = [];
  for (const field of container.querySelectorAll('input, textarea, select')) {
    if (field instanceof HTMLSelectElement) restore.push(...takeSelected(field));
    else if (field instanceof HTMLTextAreaElement) restore.push(...takeText(field, HTMLTextAreaElement.prototype));
    else if (field instanceof HTMLInputElement) {
      if (field.type === 'checkbox' || field.type === 'radio') restore.push(...takeChecked(field));
      else if (field.type !== 'file') restore.push(...takeText(field, HTMLInputElement.prototype));
    }
  }
  return () => {
    for (const giveBack of restore) giveBack();
  };
}

type Restore = (() => void)[];

function takeText(field: HTMLInputElement | HTMLTextAreaElement, prototype: object): Restore {
  const { value, selectionStart, selectionEnd } = field;
  if (value === field.defaultValue) return [];
  field.value = field.defaultValue;
  return [
    () => {
      // React watches the element's own setter; through the prototype's, the event brings news.
      Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value);
      field.dispatchEvent(new Event('input', { bubbles: true }));
      if (selectionStart !== null && document.activeElement === field)
        field.setSelectionRange(selectionStart, selectionEnd);
    },
  ];
}

function takeSelected(field: HTMLSelectElement): Restore {
  const options = [...field.options];
  const chosen = options.map((option) => option.selected);
  const first = field.multiple || options.some((option) => option.defaultSelected) ? -1 : 0;
  const defaults = options.map((option, index) => option.defaultSelected || index === first);
  if (chosen.every((selected, index) => selected === defaults[index])) return [];
  options.forEach((option, index) => {
    option.selected = defaults[index] === true;
  });
  return [
    () => {
      options.forEach((option, index) => {
        option.selected = chosen[index] === true;
      });
      field.dispatchEvent(new Event('change', { bubbles: true }));
    },
  ];
}

function takeChecked(field: HTMLInputElement): Restore {
  const { checked } = field;
  if (checked === field.defaultChecked) return [];
  field.checked = field.defaultChecked;
  // A radio button that was left is told by the one that was chosen.
  if (field.type === 'radio' && !checked) return [];
  return [() => field.click()];
}
