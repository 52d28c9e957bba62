/* Finds fields and blocks in a form, reads its content and sends it: `window.studioForm`, for the other scripts of the studio. */
(() => {
    /** The element at a path, or the last one on the way to it. */
    const find = (form, path) => {
        let at = null;
        for (const step of path) {
            const next = typeof step === "number" ? childOf(at, step) : (at ?? form).querySelector(`[data-contentpath="${step}"]`);
            if (!next) break;
            at = next;
        }
        return at;
    };

    /** A block or list item by its number. What was deleted stays in the form, unseen. */
    const childOf = (at, number) => {
        const first = at.querySelector("[data-streamfield-child]");
        const all = first ? [...first.parentElement.children] : [];
        return all.filter((child) => child.matches("[data-streamfield-child]") && !isDeleted(child))[number];
    };
    const isDeleted = (child) => child.querySelector(':scope > input[name$="-deleted"]')?.value === "1";

    const goToPath = (form, path) => {
        openBlock(find(form, path));
        goTo(find(form, path));
    };

    /** Gives a block its fields, where they are not in the form yet (`folded-blocks.js`), and those around it. */
    const openBlock = (target) => {
        const around = [];
        for (let at = target; at; at = at.parentElement) if (at.matches("[data-streamfield-child]")) around.unshift(at);
        for (const at of around) at.dispatchEvent(new Event("studio:open-block"));
    };

    /** Opens all that is folded around it, and puts the cursor into it as soon as it is shown. */
    let turn = 0;
    const goTo = (target, frames = 30, asked = ++turn) => {
        if (!target || asked !== turn) return;
        const tab = target.closest('[role="tabpanel"]');
        if (tab?.hidden) document.querySelector(`[role="tab"][aria-controls="${tab.id}"], [role="tab"][href="#${tab.id}"]`)?.click();
        for (let panel = target.closest("[data-panel]"); panel; panel = panel.parentElement.closest("[data-panel]")) {
            const toggle = panel.querySelector("[data-panel-toggle]");
            if (toggle?.getAttribute("aria-expanded") === "false") toggle.click();
        }
        const own = target.querySelector(":scope > [data-panel] [data-panel-toggle]");
        if (own?.getAttribute("aria-expanded") === "false") own.click();
        // Tools of rich text are hidden until somebody is in it.
        const buttons = "button:not([data-panel-toggle], [data-draftail-editor-wrapper] *)";
        const fields = `input:not([type="hidden"]), textarea, select, [contenteditable="true"], ${buttons}`;
        const field = [...target.querySelectorAll(fields)].find((each) => each.offsetParent && !each.disabled);
        if (!field) {
            if (frames > 0) requestAnimationFrame(() => goTo(target, frames - 1, asked));
            return;
        }
        field.focus({ preventScroll: true });
        // A way that takes its time is ended by what the form draws meanwhile, far from the field.
        (target.querySelector(".studio-field-problems") ?? field).scrollIntoView({ block: "center", behavior: "instant" });
    };

    /** Somebody has gone elsewhere meanwhile. */
    const stay = () => {
        turn += 1;
    };

    /** Fields that change while the content stays the same: each saved draft and each look at the session sets them again. */
    const NOT_CONTENT = new Set(["csrfmiddlewaretoken", "loaded_revision_id", "loaded_revision_created_at", "overwrite_revision_id"]);
    /** Returns the fields an editor fills in, without files. */
    const contentOf = (form) =>
        new URLSearchParams([...new FormData(form)].filter(([name, value]) => typeof value === "string" && !NOT_CONTENT.has(name)));

    const controllerOf = (element, name) => element && window.wagtail?.app?.getControllerForElementAndIdentifier(element, name);

    /** A save that is never answered holds nobody up for longer. */
    const LONGEST_MS = 10_000;
    /** Stops drafts from saving themselves, and waits for one that is on its way. */
    const endAutosave = async (form) => {
        const autosave = controllerOf(form, "w-autosave");
        if (!autosave) return;
        const save = autosave.submitPromise;
        autosave.activeValue = false;
        if (save) await Promise.race([save.catch(() => null), new Promise((resolve) => setTimeout(resolve, LONGEST_MS))]);
    };

    /** A pressed button is disabled meanwhile, and what is disabled is not sent. */
    const send = (form, button) => {
        const wasDisabled = button?.disabled;
        if (wasDisabled) button.disabled = false;
        form.requestSubmit(button);
        if (wasDisabled) button.disabled = true;
    };

    /** The button can be pressed again. */
    const release = (button) => controllerOf(button, "w-progress")?.deactivate();

    window.studioForm = { contentOf, controllerOf, endAutosave, find, goTo, goToPath, openBlock, release, send, stay };
})();
