/* Update the delivery status of releases, on their own screen and in messages. It requests checks until every site
   shows the published content. A message waits for its release first. Without this script, there is a button. */
(() => {
    const MOST = 60;
    const config = () => JSON.parse(document.getElementById("wagtail-config").textContent);
    const followed = new WeakSet();

    const tell = ({ dataset: { said, settled } }) => {
        const line = document.querySelector("[data-delivery-said]");
        if (said === undefined || !line) return;
        if (line.textContent !== said) line.textContent = said;
        if (settled !== undefined) document.querySelector("[data-delivery-ask]")?.remove();
    };

    /** Set the colour and icon of a message to match its text. */
    const showLevel = (message, before) => {
        const { level } = message.dataset;
        const row = message.closest("li");
        if (!level || level === before || !row) return;
        row.classList.replace(before, level);
        row.querySelector(":scope > .messages-icon use")?.setAttribute("href", `#icon-${level}`);
    };

    /** True before its release exists. */
    const isEarly = (delivery) => delivery.dataset.level !== undefined && !delivery.querySelector("[data-delivery-site]");

    const follow = async (delivery, tries) => {
        if (delivery.hasAttribute("data-settled") || tries === MOST || !delivery.isConnected) return;
        let shown = delivery;
        if (!document.hidden) {
            const { CSRF_TOKEN: token, CSRF_HEADER_NAME: name } = config();
            const headers = { [name]: token };
            const reply = await fetch(delivery.dataset.url, { method: "POST", headers }).catch(() => null);
            if (reply?.ok && !reply.redirected) {
                const text = await reply.text();
                if (!delivery.isConnected) return; // a newer message has replaced it
                const found = new DOMParser().parseFromString(text, "text/html").querySelector("[data-delivery]");
                if (found && found.outerHTML !== delivery.outerHTML) {
                    shown = document.adoptNode(found);
                    followed.add(shown);
                    delivery.replaceWith(shown);
                    tell(shown);
                    showLevel(shown, delivery.dataset.level);
                }
            } else if (reply && reply.status < 500) return;
        }
        const next = isEarly(shown) || document.hidden ? Math.min(tries + 1, MOST / 2) : tries + 1;
        setTimeout(follow, Math.min(400 * 1.25 ** tries, 10000), shown, next);
    };

    const begin = () => {
        for (const delivery of document.querySelectorAll("[data-delivery][data-url]")) {
            if (followed.has(delivery)) continue;
            followed.add(delivery);
            follow(delivery, 0);
        }
    };

    document.addEventListener("DOMContentLoaded", begin);
    document.addEventListener("studio:published", begin);
})();
