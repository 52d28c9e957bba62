/* Update the delivery status of releases, on their own screen and in messages. It requests checks until every site
   shows the published content. A message waits for its release first. Without this script, there is a button. */
(() => {
    const MOST = 60;
    const config = () => JSON.parse(document.getElementById("wagtail-config").textContent);
    const followed = new WeakSet();

    const tell = ({ dataset: { said, settled } }) => {
        const line = document.querySelector("[data-receipt-said]");
        if (said === undefined || !line) return;
        if (line.textContent !== said) line.textContent = said;
        if (settled !== undefined) document.querySelector("[data-receipt-ask]")?.remove();
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
    const isEarly = (receipt) => receipt.dataset.level !== undefined && !receipt.querySelector("[data-receipt-site]");

    const follow = async (receipt, tries) => {
        if (receipt.hasAttribute("data-settled") || tries === MOST || !receipt.isConnected) return;
        let shown = receipt;
        if (!document.hidden) {
            const { CSRF_TOKEN: token, CSRF_HEADER_NAME: name } = config();
            const headers = { [name]: token };
            const reply = await fetch(receipt.dataset.url, { method: "POST", headers }).catch(() => null);
            if (reply?.ok && !reply.redirected) {
                const text = await reply.text();
                if (!receipt.isConnected) return; // a newer message has replaced it
                const found = new DOMParser().parseFromString(text, "text/html").querySelector("[data-receipt]");
                if (found && found.outerHTML !== receipt.outerHTML) {
                    shown = document.adoptNode(found);
                    followed.add(shown);
                    receipt.replaceWith(shown);
                    tell(shown);
                    showLevel(shown, receipt.dataset.level);
                }
            } else if (reply && reply.status < 500) return;
        }
        const next = isEarly(shown) || document.hidden ? Math.min(tries + 1, MOST / 2) : tries + 1;
        setTimeout(follow, Math.min(400 * 1.25 ** tries, 10000), shown, next);
    };

    const begin = () => {
        for (const receipt of document.querySelectorAll("[data-receipt][data-url]")) {
            if (followed.has(receipt)) continue;
            followed.add(receipt);
            follow(receipt, 0);
        }
    };

    document.addEventListener("DOMContentLoaded", begin);
    document.addEventListener("studio:published", begin);
})();
