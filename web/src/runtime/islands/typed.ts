/**
 * A visitor's input in a form before React was active. React would miss it: the field would show one value and its state another.
 * So the field is reset to the published value, and gets the visitor's input again afterwards. If React replaces the field, the
 * new field gets it.
 */
export function takeTyped(container: Element): (find?: Find) => void {
  // All are read before any is put back: a radio button that is put back changes its neighbours.
  const changes = [...container.querySelectorAll<Field>('input, textarea, select')].flatMap((field) =>
    readChange(field).map((change) => ({ field, ...change })),
  );
  for (const { putBack } of changes) putBack();
  return (find = (field) => field) => {
    for (const { field, restore } of changes) {
      const now = find(field);
      if (now && isSameKind(now, field)) restore(now);
    }
  };
}

type Find = (old: Element) => Element | null;
type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

interface Change<F extends Field = Field> {
  /** Resets to the published value. */
  putBack(): void;
  /** Repeats the visitor's input as a new event, in the present field. */
  restore(now: F): void;
}

function isSameKind<F extends Field>(now: Element, field: F): now is F {
  return now.constructor === field.constructor;
}

function readChange(field: Field): Change[] {
  if (field instanceof HTMLSelectElement) return readChoice(field) as Change[];
  if (field instanceof HTMLTextAreaElement) return readText(field, HTMLTextAreaElement.prototype) as Change[];
  if (field.type === 'file') return readFiles(field) as Change[];
  if (field.type === 'checkbox' || field.type === 'radio') return readTick(field) as Change[];
  return readText(field, HTMLInputElement.prototype) as Change[];
}

function readText<F extends HTMLInputElement | HTMLTextAreaElement>(field: F, prototype: object): Change<F>[] {
  const { value, selectionStart, selectionEnd } = field;
  if (value === field.defaultValue) return [];
  return [
    {
      putBack() {
        field.value = field.defaultValue;
      },
      restore(now) {
        // React watches the element's own setter; through the prototype's, the event brings news.
        Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(now, value);
        now.dispatchEvent(new Event('input', { bubbles: true }));
        if (document.activeElement === now && selectionStart !== null)
          now.setSelectionRange(selectionStart, selectionEnd);
      },
    },
  ];
}

/** A script cannot choose files, but it can hand the chosen ones to another field. */
function readFiles(field: HTMLInputElement): Change<HTMLInputElement>[] {
  const { files } = field;
  if (!files?.length) return [];
  return [
    {
      putBack() {},
      restore(now) {
        if (now === field) return;
        now.files = files;
        now.dispatchEvent(new Event('change', { bubbles: true }));
      },
    },
  ];
}

function readChoice(field: HTMLSelectElement): Change<HTMLSelectElement>[] {
  const options = [...field.options];
  const chosen = options.map((option) => option.selected);
  // Where the page selects nothing, a browser shows the first option.
  const first = field.multiple || options.some((option) => option.defaultSelected) ? -1 : 0;
  const defaults = options.map((option, index) => option.defaultSelected || index === first);
  if (chosen.every((selected, index) => selected === defaults[index])) return [];
  const select = (element: HTMLSelectElement, selection: boolean[]) => {
    [...element.options].forEach((option, index) => {
      option.selected = selection[index] === true;
    });
  };
  return [
    {
      putBack() {
        select(field, defaults);
      },
      restore(now) {
        select(now, chosen);
        now.dispatchEvent(new Event('change', { bubbles: true }));
      },
    },
  ];
}

function readTick(field: HTMLInputElement): Change<HTMLInputElement>[] {
  const { checked } = field;
  if (checked === field.defaultChecked) return [];
  return [
    {
      putBack() {
        field.checked = field.defaultChecked;
      },
      restore(now) {
        // The radio button that lost its mark is informed by the one that got it.
        // A restored draft may have marked it meanwhile.
        if ((checked || now.type === 'checkbox') && now.checked !== checked) now.click();
      },
    },
  ];
}
