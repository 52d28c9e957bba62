/** Which files are attached to a form, and why others are refused. Pure. */
import { FILE_EXTENSIONS, LARGEST_FILE_BYTES, LARGEST_FILES_BYTES, MOST_FILES } from './limits.ts';

export type FileProblem = 'too-many' | 'too-large' | 'too-much' | 'kind' | 'empty';

export interface ChosenFiles {
  files: readonly File[];
  /** Those that were left out, by name. */
  refused: readonly { name: string; problem: FileProblem }[];
}

/** Adds files to the earlier choice, without duplicates. */
export function addFiles(files: readonly File[], added: Iterable<File>): ChosenFiles {
  const kept = [...files];
  const refused: { name: string; problem: FileProblem }[] = [];
  for (const file of added) {
    if (kept.some((other) => isSame(other, file))) continue;
    const problem = findProblem(file, kept);
    if (problem) refused.push({ name: file.name, problem });
    else kept.push(file);
  }
  return { files: kept, refused };
}

function findProblem(file: File, kept: readonly File[]): FileProblem | null {
  if (!FILE_EXTENSIONS.includes(file.name.split('.').at(-1)?.toLowerCase() ?? '')) return 'kind';
  if (file.size === 0) return 'empty';
  if (file.size > LARGEST_FILE_BYTES) return 'too-large';
  if (kept.length >= MOST_FILES) return 'too-many';
  const all = kept.reduce((sum, { size }) => sum + size, file.size);
  return all > LARGEST_FILES_BYTES ? 'too-much' : null;
}

function isSame(a: File, b: File): boolean {
  return a.name === b.name && a.size === b.size && a.lastModified === b.lastModified;
}

/** `0.3`, `12`: megabytes as a form says them. */
export function megabytes(bytes: number): number {
  const size = bytes / (1 << 20);
  return size >= 10 ? Math.round(size) : Math.max(0.1, Math.round(size * 10) / 10);
}
