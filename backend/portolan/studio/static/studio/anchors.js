/* Offer the anchors of the selected page in fields for an anchor. */
(() => {
    const { url } = document.currentScript.dataset;
    const own = /\/pages\/(\d+)\/edit\//.exec(location.pathname)?.[1];
    const known = new Map();

    const listOf = async (page) => {
        if (page === own) return listOwn();
        if (!known.has(page)) {
            const reply = await fetch(`${url}?page=${page}`).catch(() => null);
            if (!reply?.ok || reply.redirected) return [];
            known.set(page, (await reply.json()).anchors);
        }
        return known.get(page);
    };

    /** The anchors of the edited page, from its form. */
    const listOwn = () =>
        (document.getElementById("body-root")?.rootBlock.children ?? [])
            .map(({ block }) => ({ anchor: block.getState().anchor, title: "" }))
            .filter(({ anchor }) => anchor);

    document.addEventListener("focusin", async ({ target }) => {
        const field = target.closest?.('[data-contentpath="anchor"]');
        const chooser = field?.parentElement.querySelector(':scope > [data-contentpath="page"] input[type="hidden"]');
        if (!chooser || target.tagName !== "INPUT") return;
        const found = chooser.value ? await listOf(chooser.value) : [];
        document.getElementById(target.getAttribute("list"))?.remove();
        const list = document.createElement("datalist");
        list.id = `${target.id}-anchors`;
        for (const { anchor, title } of found) {
            const option = document.createElement("option");
            option.value = anchor;
            option.label = title;
            list.append(option);
        }
        field.append(list);
        target.setAttribute("list", list.id);
    });
})();
