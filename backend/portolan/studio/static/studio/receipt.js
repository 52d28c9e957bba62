/* Keeps receipts up to date, on a release's own screen and in messages: it has the sites asked until every one shows what was
   published. Without it, a button asks. */
(() => {
    const MOST = 60;
    const config = () => JSON.parse(document.getElementById("wagtail-config").textContent);

    const tell = ({ dataset: { said, settled } }) => {
        const line = document.querySelector("[data-receipt-said]");
        if (said === undefined || !line) return;
        if (line.textContent !== said) line.textContent = said;
        if (settled !== undefined) document.querySelector("[data-receipt-ask]")?.remove();
    };

    const follow = async (receipt, tries) => {
        if (receipt.hasAttribute("data-settled") || tries === MOST || !receipt.isConnected) return;
        const { CSRF_TOKEN: token, CSRF_HEADER_NAME: name } = config();
        const reply = await fetch(receipt.dataset.url, { method: "POST", headers: { [name]: token } }).catch(() => null);
        let shown = receipt;
        if (reply?.ok && !reply.redirected) {
            const found = new DOMParser().parseFromString(await reply.text(), "text/html").querySelector("[data-receipt]");
            if (found && found.outerHTML !== receipt.outerHTML) {
                shown = document.adoptNode(found);
                receipt.replaceWith(shown);
                tell(shown);
            }
        } else if (reply && reply.status < 500) return;
        setTimeout(follow, Math.min(400 * 1.25 ** tries, 10000), shown, tries + 1);
    };

    document.addEventListener("DOMContentLoaded", () => {
        for (const receipt of document.querySelectorAll("[data-receipt][data-url]")) follow(receipt, 0);
    });
})();
