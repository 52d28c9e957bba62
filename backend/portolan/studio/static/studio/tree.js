/* The tree of pages: unfold pages and drag them. A drop opens the screen with the effects. If the move is not
   possible, the line of the drop shows the reason. */
(() => {
    const OPENS_AFTER_MS = 700;
    let tree = null;
    let said = null;
    let dragged = null;
    let over = null;
    let waiting = 0;

    const load = async (address) => {
        const reply = await fetch(address).catch(() => null);
        said.textContent = reply?.ok && !reply.redirected ? "" : tree.dataset.saidFailed;
        return said.textContent ? null : reply.text();
    };

    const unfold = async (fold) => {
        const list = fold.closest("li").querySelector("ul");
        const opens = list.hidden;
        if (opens && list.childElementCount === 0) {
            const html = await load(fold.dataset.treeFold);
            if (html === null) return;
            list.innerHTML = html;
        }
        list.hidden = !opens;
        fold.setAttribute("aria-expanded", String(opens));
    };

    const showMore = async (link) => {
        const html = await load(link.dataset.treeMore);
        if (html === null) return;
        const item = link.closest("li");
        const list = item.parentElement;
        const place = list.childElementCount - 1;
        item.insertAdjacentHTML("afterend", html);
        item.remove();
        list.children[place]?.querySelector("a")?.focus();
    };

    const mark = (row, place) => {
        if (over?.row === row && over?.place === place) return;
        over?.row.removeAttribute("data-tree-drop");
        clearTimeout(waiting);
        over = row ? { row, place } : null;
        row?.setAttribute("data-tree-drop", place);
        const fold = place === "below" ? row?.querySelector("[data-tree-fold][aria-expanded=false]") : null;
        if (fold) waiting = setTimeout(unfold, OPENS_AFTER_MS, fold);
    };

    const findPlace = (row, y) => {
        const item = row.closest("[data-tree-page]");
        if (!item.dataset.treeParent) return "below";
        const box = row.getBoundingClientRect();
        const part = (y - box.top) / box.height;
        return part < 0.3 ? "before" : part > 0.7 ? "after" : "below";
    };

    const order = (page, before) => {
        const form = document.querySelector("#studio-tree-order");
        for (const [name, value] of [["page", page], ["before", before]]) {
            const field = document.createElement("input");
            Object.assign(field, { type: "hidden", name, value });
            form.append(field);
        }
        form.submit();
    };

    /* At this line, also for screen readers. */
    const answer = (row, text) => {
        tree.querySelector("[data-tree-answer]")?.remove();
        const said = document.createElement("p");
        Object.assign(said, { className: "studio-tree-answer", textContent: text });
        said.setAttribute("role", "status");
        said.dataset.treeAnswer = "";
        row.after(said);
        said.scrollIntoView({ block: "nearest" });
    };

    const move = async (address, row) => {
        const reply = await fetch(address, { headers: { Accept: "text/plain" } }).catch(() => null);
        if (reply?.status === 409) answer(row, await reply.text());
        else window.location.assign(address);
    };

    const drop = () => {
        const row = over.row;
        const item = over.row.closest("[data-tree-page]");
        const page = dragged.dataset.treePage;
        const parent = over.place === "below" ? item.dataset.treePage : item.dataset.treeParent;
        const next = over.place === "before" ? item : item.nextElementSibling;
        const before = over.place === "below" ? "" : (next?.dataset.treePage ?? "");
        if (parent === dragged.dataset.treeParent) {
            const isThere = over.place === "below" || before === page || dragged.nextElementSibling === next;
            if (isThere) answer(row, tree.dataset.saidThere);
            else if ("treeOrdered" in dragged.dataset) order(page, before);
            else answer(row, tree.dataset.saidNoOrder);
            return;
        }
        const address = tree.dataset.place.replace(/\d+\/\d+\/$/, `${page}/${parent}/`);
        move(before ? `${address}?before=${before}` : address, row);
    };

    const begin = () => {
        tree = document.querySelector("[data-tree]");
        if (!tree) return;
        said = tree.querySelector("[data-tree-said]");
        tree.addEventListener("click", (event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            const fold = event.target.closest("[data-tree-fold]");
            const more = event.target.closest("[data-tree-more]");
            if (!fold && !more) return;
            event.preventDefault();
            if (fold) unfold(fold);
            else showMore(more);
        });
        tree.addEventListener("dragstart", (event) => {
            dragged = event.target.closest("[data-tree-page]");
            event.dataTransfer.effectAllowed = "move";
            event.dataTransfer.setData("text/plain", dragged.dataset.treePage);
        });
        tree.addEventListener("dragover", (event) => {
            const row = event.target.closest("[data-tree-row]");
            if (!dragged || !row || dragged.contains(row)) return mark(null, "");
            event.preventDefault();
            mark(row, findPlace(row, event.clientY));
        });
        tree.addEventListener("drop", (event) => {
            event.preventDefault();
            if (dragged && over) drop();
        });
        tree.addEventListener("dragend", () => {
            mark(null, "");
            dragged = null;
        });
        const opened = tree.querySelector(".studio-tree-opened");
        const told = document.querySelector(".messages li")?.textContent.trim();
        opened?.scrollIntoView({ block: "nearest" });
        if (opened && told) answer(opened, told.replace(/\s+/g, " "));
    };

    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
    else begin();
})();
