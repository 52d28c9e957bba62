/* Send a form only after a running automatic save, and stop further ones. Otherwise a refused form would be older
   than the newest draft. Wagtail would treat that draft as another person's and ask about a conflict. */
(() => {
    const { controllerOf, endAutosave, send } = window.studioForm;
    const waiting = new WeakSet();
    const sent = new WeakSet();

    document.addEventListener(
        "submit",
        async (event) => {
            const form = event.target;
            if (!form.matches("[data-edit-form]") || sent.delete(form)) return;
            const isSaving = Boolean(controllerOf(form, "w-autosave")?.submitPromise);
            const ended = endAutosave(form);
            if (!isSaving && !waiting.has(form)) return;
            event.preventDefault();
            event.stopImmediatePropagation();
            if (waiting.has(form)) return; // pressed twice
            waiting.add(form);
            const button = event.submitter;
            await ended;
            waiting.delete(form);
            sent.add(form);
            send(form, button);
        },
        true,
    );

    /** A refused form counts as unsaved until its first automatic save, and Wagtail would then stop looking for
        changes. Setting the interval makes it look again. */
    document.addEventListener("w-autosave:success", ({ target }) => {
        if (target.dataset.wUnsavedForceValue !== undefined) requestAnimationFrame(() => watchAgain(target));
    });
    const watchAgain = (form) => {
        const unsaved = controllerOf(form, "w-unsaved");
        if (unsaved && !unsaved.checkInterval && !unsaved.forceValue) unsaved.checkIntervalValue += 1;
    };
})();
