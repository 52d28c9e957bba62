/* Show editors on every screen whether their changes are live. */
(() => {
    const script = document.currentScript;
    const line = document.createElement("div");
    line.className = "publish-status";
    line.setAttribute("role", "status");

    const offer = (href, label) => {
        if (!label || !href || location.pathname === href) return;
        const link = document.createElement("a");
        link.href = href;
        link.textContent = label;
        line.append(" ", link);
    };

    const show = ({ state, text, home, delivery }) => {
        line.hidden = !text;
        line.dataset.state = state;
        line.textContent = text;
        offer(home, { blocked: script.dataset.blockedLabel, pinned: script.dataset.moreLabel }[state]);
        offer(delivery, script.dataset.deliveryLabel);
    };

    const ask = async (tries) => {
        const reply = await fetch(script.dataset.url, { headers: { Accept: "application/json" } }).catch(() => null);
        if (!reply?.ok || !reply.headers.get("Content-Type")?.includes("json")) return;
        const found = await reply.json();
        show(found);
        if (found.state === "waiting") setTimeout(ask, Math.min(300 * 1.2 ** tries, 10000), tries + 1);
        else if (found.state === "live" && found.text) setTimeout(() => (line.hidden = true), 6000);
    };

    document.addEventListener("DOMContentLoaded", () => {
        document.body.append(line);
        ask(0);
    });
})();
