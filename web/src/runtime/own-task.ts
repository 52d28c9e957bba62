/** Ends the present task: a slow phone can scroll or answer a touch before the next one. Uses a message, because timers are late. */
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
