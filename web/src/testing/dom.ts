/**
 * Gives the importing test file its own window and document, before other imports need them. The module jsdom itself is loaded once a
 * worker. As Vitest's environment it would be loaded for each file, which takes longer than most of them.
 */
import { afterAll, vi } from 'vitest';
import { builtinEnvironments } from 'vitest/runtime';

const FRAME_MS = 16;

const { teardown } = await builtinEnvironments.jsdom.setup(globalThis, {});
// An empty document is loaded in a task of its own: a test that waits for the load event waits for the one it makes.
if (document.readyState !== 'complete')
  await new Promise((resolve) => addEventListener('load', resolve, { once: true }));

// A timer that outlives its file would find the window of the next one, or none.
const started: NodeJS.Timeout[] = [];
const native = { setTimeout, setInterval };
const noted =
  <Arguments extends unknown[]>(start: (...how: Arguments) => NodeJS.Timeout) =>
  (...how: Arguments) => {
    const timer = start(...how);
    started.push(timer);
    return timer;
  };
Object.assign(globalThis, { setTimeout: noted(setTimeout), setInterval: noted(setInterval) });
// Vitest's clock knows the window of the worker's start, which had none of this: a frame is a timer, and so is faked with them.
Object.assign(globalThis, {
  requestAnimationFrame: (draw: FrameRequestCallback) => Number(setTimeout(() => draw(performance.now()), FRAME_MS)),
  cancelAnimationFrame: (frame: number) => clearTimeout(frame),
  // jsdom draws nothing, so observers stay silent.
  IntersectionObserver: class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
});

afterAll(async () => {
  vi.useRealTimers();
  Object.assign(globalThis, native);
  for (const timer of started) clearTimeout(timer);
  // React's pending work continues task by task.
  for (let task = 0; task < 3; task++) await new Promise((resolve) => setImmediate(resolve));
  teardown(globalThis);
});
