/* A form is sent once the draft that saves itself has been answered, and none is saved beside it. Else the form that comes back
   from a refused publish would be older than the newest draft: Wagtail takes that for another person's, and asks about a
   conflict instead of publishing. */
(() => {
    /** A save that is never answered holds nobody up for longer. */
    const LONGEST_MS = 10_000;
    const waiting = new WeakSet();
    const sent = new WeakSet();

    const autosaveOf = (form) => window.wagtail?.app?.getControllerForElementAndIdentifier(form, "w-autosave");

    const waitFor = (save) => Promise.race([save, new Promise((resolve) => setTimeout(resolve, LONGEST_MS))]);

    document.addEventListener(
        "submit",
        async (event) => {
            const form = event.target;
            if (!form.matches("[data-edit-form]") || sent.has(form)) return;
            const autosave = autosaveOf(form);
            const save = autosave?.submitPromise;
            if (autosave) autosave.activeValue = false;
            if (!save && !waiting.has(form)) return;
            event.preventDefault();
            event.stopImmediatePropagation();
            if (waiting.has(form)) return; // pressed twice
            waiting.add(form);
            const button = event.submitter;
            await waitFor(Promise.resolve(save).catch(() => null));
            sent.add(form);
            send(form, button);
        },
        true,
    );

    /** A pressed button is disabled meanwhile, and what is disabled is not sent. */
    const send = (form, button) => {
        const wasDisabled = button?.disabled;
        if (wasDisabled) button.disabled = false;
        form.requestSubmit(button);
        if (wasDisabled) button.disabled = true;
    };

    /** What comes back from a refusal counts as unsaved until it is saved by itself for the first time, and Wagtail would look
        for no change after that: giving it an interval makes it look again. */
    document.addEventListener("w-autosave:success", ({ target }) => {
        if (target.dataset.wUnsavedForceValue !== undefined) requestAnimationFrame(() => watchAgain(target));
    });
    const watchAgain = (form) => {
        const unsaved = window.wagtail?.app?.getControllerForElementAndIdentifier(form, "w-unsaved");
        if (unsaved && !unsaved.checkInterval && !unsaved.forceValue) unsaved.checkIntervalValue += 1;
    };
})();
