/* Update the dashboard while it is open. Parts with the focus stay as they are. */
(() => {
    const PAUSE_MS = 5000;
    let screen = null;
    const template = document.createElement("template");
    let seen = "";

    const isInUse = (part) => part.contains(document.activeElement) || part.querySelector("details[open]") !== null;

    const show = (html) => {
        template.innerHTML = html;
        let isWhole = true;
        for (const found of template.content.querySelectorAll("[data-part]")) {
            const part = screen.querySelector(`[data-part="${found.dataset.part}"]`);
            if (!part || part.innerHTML === found.innerHTML) continue;
            if (isInUse(part)) isWhole = false;
            else part.innerHTML = found.innerHTML;
        }
        return isWhole;
    };

    const ask = async () => {
        if (document.visibilityState === "hidden") return;
        const address = `${screen.dataset.studioHome}?seen=${seen}`;
        const reply = await fetch(address).catch(() => null);
        if (!reply?.ok || reply.redirected || !reply.headers.has("X-Seen")) return;
        if (reply.status === 204 || show(await reply.text())) seen = reply.headers.get("X-Seen");
    };

    const begin = () => {
        screen = document.querySelector("[data-studio-home]");
        if (!screen) return;
        setInterval(ask, PAUSE_MS);
        document.addEventListener("visibilitychange", ask);
    };

    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
    else begin();
})();
