/* Find fields and blocks in a form, read its content, and send it: `window.studioForm`, for the studio's other
   scripts. */
(() => {
    /** The element at a path, or the last one on the way. */
    const find = (form, path) => {
        let at = null;
        for (const step of path) {
            const next = typeof step === "number" ? childOf(at, step) : (at ?? form).querySelector(`[data-contentpath="${step}"]`);
            if (!next) break;
            at = next;
        }
        return at;
    };

    /** A block or list item by its number. Deleted ones stay in the form, hidden. */
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

    /** Load the fields of a block and of the blocks around it (`folded-blocks.js`). */
    const openBlock = (target) => {
        const around = [];
        for (let at = target; at; at = at.parentElement) if (at.matches("[data-streamfield-child]")) around.unshift(at);
        for (const at of around) at.dispatchEvent(new Event("studio:open-block"));
    };

    /** Open everything around a field, and focus it when it is visible. */
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
        // The tools of rich text are hidden without focus.
        const buttons = "button:not([data-panel-toggle], [data-draftail-editor-wrapper] *)";
        const fields = `input:not([type="hidden"]), textarea, select, [contenteditable="true"], ${buttons}`;
        const field = [...target.querySelectorAll(fields)].find((each) => each.offsetParent && !each.disabled);
        if (!field) {
            if (frames > 0) requestAnimationFrame(() => goTo(target, frames - 1, asked));
            return;
        }
        field.focus({ preventScroll: true });
        // Smooth scrolling would stop when the form changes, far from the field.
        (target.querySelector(".studio-field-problems") ?? field).scrollIntoView({ block: "center", behavior: "instant" });
    };

    /** The editor has moved the focus meanwhile. */
    const stay = () => {
        turn += 1;
    };

    /** Fields that change without a change of content: each draft and each ping sets them. */
    const NOT_CONTENT = new Set(["csrfmiddlewaretoken", "loaded_revision_id", "loaded_revision_created_at", "overwrite_revision_id"]);
    /** Return the fields of the content, without files. */
    const contentOf = (form) =>
        new URLSearchParams([...new FormData(form)].filter(([name, value]) => typeof value === "string" && !NOT_CONTENT.has(name)));

    const controllerOf = (element, name) => element && window.wagtail?.app?.getControllerForElementAndIdentifier(element, name);

    /** The longest wait for a reply to a save. */
    const LONGEST_MS = 10_000;
    /** Stop automatic saves, and wait for a running one. */
    const endAutosave = async (form) => {
        const autosave = controllerOf(form, "w-autosave");
        if (!autosave) return;
        const save = autosave.submitPromise;
        autosave.activeValue = false;
        if (save) await Promise.race([save.catch(() => null), new Promise((resolve) => setTimeout(resolve, LONGEST_MS))]);
    };

    /** The pressed button is disabled, and disabled buttons are not sent. */
    const send = (form, button) => {
        const wasDisabled = button?.disabled;
        if (wasDisabled) button.disabled = false;
        form.requestSubmit(button);
        if (wasDisabled) button.disabled = true;
    };

    /** Enable the button again. */
    const release = (button) => controllerOf(button, "w-progress")?.deactivate();

    window.studioForm = { contentOf, controllerOf, endAutosave, find, goTo, goToPath, openBlock, release, send, stay };
})();
