/* Mark the blocks where other editors are, in the form and in the preview. The ping of Wagtail's editing sessions
   exchanges positions. Going to another block sends a ping at once. */
(() => {
    const WORDS = "studio-on-page-words";
    const PAUSE_MS = 600;

    const begin = () => {
        const form = document.querySelector("form[data-edit-form]");
        const session = document.querySelector('form[data-controller~="w-session"]');
        const words = document.getElementById(WORDS);
        if (form && session && words) listen(form, session, JSON.parse(words.textContent));
    };

    const listen = (form, session, words) => {
        const own = document.createElement("input");
        own.type = "hidden";
        own.name = "at";
        session.append(own);
        // The ping reports newer versions, except those of this form.
        const key = form.elements.namedItem("form_key")?.cloneNode();
        key?.removeAttribute("id");
        if (key) session.append(key);
        let others = [];
        let pause = null;

        form.addEventListener("focusin", ({ target }) => {
            const at = placeOf(target);
            if (!at || at === own.value) return;
            own.value = at;
            mark();
            clearTimeout(pause);
            // The controller sends no ping while a save has paused it.
            pause = setTimeout(() => window.studioForm.controllerOf(session, "w-session")?.ping(), PAUSE_MS);
        });
        session.addEventListener("w-swap:json", ({ detail }) => {
            if (!Array.isArray(detail.data?.other_sessions)) return;
            others = detail.data.other_sessions.filter(({ at, is_idle }) => at && !is_idle);
            mark();
        });

        const at = (place) => others.filter((other) => other.at === place).map(({ user }) => user);
        const say = (place, names) => (place === own.value ? words.hereToo : words.here).replace("{who}", names.join(", "));

        const mark = () => {
            for (const each of document.querySelectorAll(".studio-presence")) each.remove();
            for (const place of new Set(others.map((other) => other.at))) {
                const holder = headOf(form.querySelector(`[data-contentpath="${CSS.escape(place)}"]`));
                if (!holder) continue;
                const said = document.createElement("span");
                said.className = "studio-presence";
                said.dataset.presence = place;
                said.textContent = say(place, at(place));
                holder.append(said);
            }
            document.dispatchEvent(new CustomEvent("studio:presence"));
        };

        /** In a document of the preview. */
        const markIn = (page) => {
            for (const block of page.querySelectorAll("[data-block]")) {
                const names = at(block.dataset.block);
                for (const name of ["data-presence", "aria-description"]) {
                    if (names.length > 0) block.setAttribute(name, say(block.dataset.block, names));
                    else block.removeAttribute(name);
                }
            }
        };
        window.studioPresence = { markIn };
    };

    /** The block around it, or its field. */
    const placeOf = (target) => {
        let found = null;
        for (let at = target.closest("[data-contentpath]"); at; at = at.parentElement?.closest("[data-contentpath]")) {
            if (at.dataset.contentpath !== "body" || !found) found = at.dataset.contentpath;
        }
        return found;
    };

    /** The visible name of a block or field. */
    const headOf = (element) => {
        const panels = [element?.querySelector(":scope > [data-panel]"), element?.closest("[data-panel]")];
        const heads = panels.map((panel) => panel?.querySelector(":scope > .w-panel__header"));
        return heads.find((head) => head && (head.offsetHeight > 8 || !head.offsetParent)) ?? element;
    };

    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
    else begin();
})();
