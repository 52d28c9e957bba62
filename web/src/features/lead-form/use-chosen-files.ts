import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import { addFiles, type ChosenFiles } from './chosen-files.ts';

const NOTHING: ChosenFiles = { files: [], refused: [] };

/** Files of a form. The browser's own list replaces the earlier choice; this one adds to it. */
export function useChosenFiles() {
  const [chosen, setChosen] = useState(NOTHING);
  const [removed, setRemoved] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);

  function add(field: HTMLInputElement) {
    const added = [...(field.files ?? [])];
    if (added.length === 0) return;
    field.value = '';
    setRemoved(null);
    setChosen(({ files }) => addFiles(files, added));
  }

  // Take over files that were chosen before React was active.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    if (input.current) add(input.current);
  }, []);

  return {
    ...chosen,
    /** Name of the file that was removed last; null once another one is added. */
    removed,
    input,
    onChange: (event: ChangeEvent<HTMLInputElement>) => add(event.target),
    remove(file: File) {
      setChosen(({ files }) => ({ files: files.filter((other) => other !== file), refused: [] }));
      setRemoved(file.name);
      input.current?.focus();
    },
    clear() {
      setChosen(NOTHING);
      setRemoved(null);
    },
  };
}
