/**
 * Values that a page stores for a visit (session storage) or longer (local storage). If storage is blocked or full, values are
 * dropped without an error: readers then treat the visitor as a new one.
 */

export function readSession(key: string): string | null {
  return read(() => sessionStorage.getItem(key));
}

export function writeSession(key: string, value: string): void {
  write(() => sessionStorage.setItem(key, value));
}

export function removeSession(key: string): void {
  write(() => sessionStorage.removeItem(key));
}

export function readLocal(key: string): string | null {
  return read(() => localStorage.getItem(key));
}

export function writeLocal(key: string, value: string): void {
  write(() => localStorage.setItem(key, value));
}

export function removeLocal(key: string): void {
  write(() => localStorage.removeItem(key));
}

function read(get: () => string | null): string | null {
  try {
    return get();
  } catch {
    return null;
  }
}

function write(set: () => void): void {
  try {
    set();
  } catch {
    // Blocked or full.
  }
}
