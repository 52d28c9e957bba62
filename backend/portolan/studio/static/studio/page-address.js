/* Show the effects of the address that the editor is typing. */
(() => {
    const begin = () => {
        const page = /\/pages\/\d+\/edit\/$/.exec(location.pathname);
        const field = document.querySelector('input[name="slug"]');
        if (!page || !field) return;
        const line = document.createElement("div");
        line.className = "studio-follows";
        line.setAttribute("role", "status");
        (field.closest("[data-field-wrapper]") ?? field.parentElement).append(line);

        let asked = null;
        let request = new AbortController();
        let timer = 0;

        const ask = async () => {
            if (field.value === asked) return;
            asked = field.value;
            request.abort();
            request = new AbortController();
            const address = new URL("../address/", location.href);
            address.search = new URLSearchParams({ slug: asked });
            const reply = await fetch(address, { signal: request.signal }).catch(() => null);
            if (!reply?.ok || reply.redirected) return;
            const found = await reply.text().catch(() => null);
            if (found !== null && field.value === asked) line.innerHTML = found.trim();
        };

        const askSoon = () => {
            clearTimeout(timer);
            timer = setTimeout(ask, 250);
        };
        field.addEventListener("input", askSoon);
        field.addEventListener("change", askSoon);
        ask();
    };

    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
    else begin();
})();
