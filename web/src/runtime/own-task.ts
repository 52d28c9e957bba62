/** Ends what runs now: a slow phone scrolls or answers a touch before the rest. A message, for timers wait longer than asked. */
export function ownTask(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
