/* Show which blocks and fields of a local version follow their source, with a switch for each. */
(() => {
    const begin = () => {
        const told = document.getElementById("studio-inheritance");
        const form = document.querySelector("form[data-edit-form]");
        if (told && form) show(form, JSON.parse(told.textContent));
    };

    const show = (form, { states, url, compare, words }) => {
        const mark = (place, path, first) => {
            const shown = document.createElement("span");
            shown.className = "studio-follows";
            headOf(place).append(shown);
            const set = (state) => {
                place.dataset.inheritance = state;
                shown.dataset.state = state;
                const said = document.createElement("span");
                said.className = "studio-follows__state";
                said.textContent = words[state];
                const own = button("own", words.keep, () => send(path, "own", set));
                const follow = button("follow", words.follow, () => followAgain(path, set));
                shown.replaceChildren(said, ...(state === "changed" ? [link()] : []), state === "follows" ? own : follow);
                document.dispatchEvent(new Event("studio:inheritance"));
            };
            set(first);
            place.addEventListener("input", () => {
                if (place.dataset.inheritance === "follows") set("own");
            });
        };

        /** Its content comes from the server, so typed changes must be saved before. */
        const followAgain = async (path, set) => {
            if (hasUnsaved(form)) return window.alert(words.saveFirst);
            return send(path, "follows", set);
        };

        const send = async (path, state, set) => {
            const body = new URLSearchParams({ path: JSON.stringify(path), state });
            body.set("csrfmiddlewaretoken", form.elements.namedItem("csrfmiddlewaretoken").value);
            const answer = await fetch(url, { method: "POST", body }).catch(() => null);
            const found = answer?.ok ? await answer.json() : null;
            if (!found) window.alert(words.failed);
            else if (found.isChanged) window.location.reload();
            else set(found.state);
        };

        const link = () => {
            const made = document.createElement("a");
            made.href = compare;
            made.textContent = words.compare;
            return made;
        };

        // Wagtail builds the blocks of a long form after it has loaded.
        const left = new Map(states.map(({ path, state }) => [path.at(-1), { path, state }]));
        const markFound = () => {
            for (const [name, { path, state }] of left) {
                const place = form.querySelector(`[data-contentpath="${CSS.escape(name)}"]`);
                if (!place) continue;
                left.delete(name);
                mark(place, path, state);
            }
            if (left.size === 0) watch.disconnect();
        };
        const watch = new MutationObserver(markFound);
        watch.observe(form, { childList: true, subtree: true });
        markFound();
    };

    const hasUnsaved = (form) => window.studioForm.controllerOf(form, "w-unsaved")?.hasEditsValue === true;

    const button = (name, text, press) => {
        const made = document.createElement("button");
        made.type = "button";
        made.dataset[name] = "";
        made.textContent = text;
        made.addEventListener("click", (event) => {
            event.stopPropagation();
            press();
        });
        return made;
    };

    /** The header of a block; of a field itself. */
    const headOf = (place) => place.querySelector(":scope > [data-panel] > .w-panel__header") ?? place;

    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
    else begin();
})();
