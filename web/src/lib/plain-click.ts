/** Whether a click asks for what a link does by itself: not for a tab or a window of its own, nor for a file. */
export function isPlainClick({ button, metaKey, ctrlKey, shiftKey, altKey }: ClickKeys): boolean {
  return !(button || metaKey || ctrlKey || shiftKey || altKey);
}

type ClickKeys = Pick<MouseEvent, 'button' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey'>;
