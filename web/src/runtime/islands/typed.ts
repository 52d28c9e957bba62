/**
 * What a visitor put into a form before React was there. React would not hear of it: the field would show one thing and
 * its state say another. So the field goes back to what the page said, and gets the visitor's input again afterwards.
 */
export function takeTyped(container: Element): () => void {
  // All are read before any is put back: a radio button that is put back changes its neighbours.
  const changes = [...container.querySelectorAll('input, textarea, select')].flatMap(readChange);
  for (const change of changes) change.putBack();
  return () => {
    for (const change of changes) change.enterAgain();
  };
}

interface Change {
  /** To what the page said. */
  putBack(): void;
  /** To what the visitor said, as if it happened now. */
  enterAgain(): void;
}

function readChange(field: Element): Change[] {
  if (field instanceof HTMLSelectElement) return readChoice(field);
  if (field instanceof HTMLTextAreaElement) return readText(field, HTMLTextAreaElement.prototype);
  if (!(field instanceof HTMLInputElement) || field.type === 'file') return [];
  if (field.type === 'checkbox' || field.type === 'radio') return readTick(field);
  return readText(field, HTMLInputElement.prototype);
}

function readText(field: HTMLInputElement | HTMLTextAreaElement, prototype: object): Change[] {
  const { value, selectionStart, selectionEnd } = field;
  if (value === field.defaultValue) return [];
  return [
    {
      putBack() {
        field.value = field.defaultValue;
      },
      enterAgain() {
        // React watches the element's own setter; through the prototype's, the event brings news.
        Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value);
        field.dispatchEvent(new Event('input', { bubbles: true }));
        if (document.activeElement === field && selectionStart !== null) {
          field.setSelectionRange(selectionStart, selectionEnd);
        }
      },
    },
  ];
}

function readChoice(field: HTMLSelectElement): Change[] {
  const options = [...field.options];
  const chosen = options.map((option) => option.selected);
  // Where the page selects nothing, a browser shows the first option.
  const first = field.multiple || options.some((option) => option.defaultSelected) ? -1 : 0;
  const defaults = options.map((option, index) => option.defaultSelected || index === first);
  if (chosen.every((selected, index) => selected === defaults[index])) return [];
  const select = (selection: boolean[]) => {
    options.forEach((option, index) => {
      option.selected = selection[index] === true;
    });
  };
  return [
    {
      putBack() {
        select(defaults);
      },
      enterAgain() {
        select(chosen);
        field.dispatchEvent(new Event('change', { bubbles: true }));
      },
    },
  ];
}

function readTick(field: HTMLInputElement): Change[] {
  const { checked } = field;
  if (checked === field.defaultChecked) return [];
  return [
    {
      putBack() {
        field.checked = field.defaultChecked;
      },
      enterAgain() {
        // The radio button that lost its mark hears of it from the one that got it.
        // What was kept of a draft may have marked it meanwhile.
        if ((checked || field.type === 'checkbox') && field.checked !== checked) field.click();
      },
    },
  ];
}
