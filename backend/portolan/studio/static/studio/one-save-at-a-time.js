/* A form is sent once the draft that saves itself has been answered, and none is saved beside it. Else the form that comes back
   from a refused publish would be older than the newest draft: Wagtail takes that for another person's, and asks about a
   conflict instead of publishing. */
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

    /** What comes back from a refusal counts as unsaved until it is saved by itself for the first time, and Wagtail would look
        for no change after that: giving it an interval makes it look again. */
    document.addEventListener("w-autosave:success", ({ target }) => {
        if (target.dataset.wUnsavedForceValue !== undefined) requestAnimationFrame(() => watchAgain(target));
    });
    const watchAgain = (form) => {
        const unsaved = controllerOf(form, "w-unsaved");
        if (unsaved && !unsaved.checkInterval && !unsaved.forceValue) unsaved.checkIntervalValue += 1;
    };
})();
