/* Send a form only once, even if its button is clicked twice. */
(() => {
    const TWICE_MS = 2000;
    const sentAt = new WeakMap();
    document.addEventListener("submit", (event) => {
        if (event.timeStamp - (sentAt.get(event.target) ?? -Infinity) < TWICE_MS) event.preventDefault();
        else sentAt.set(event.target, event.timeStamp);
    });
})();
