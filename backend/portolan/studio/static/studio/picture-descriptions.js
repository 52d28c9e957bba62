/* Fill in an image's description from the library when an editor chooses the image. This happens if the field is
   empty or still has the text that was filled in before. */
(() => {
    const url = document.currentScript.dataset.url;
    const heard = new WeakSet();
    const filled = new WeakMap();

    /* All fields with the description of a chooser's image, with their language. */
    const fieldsOf = (id) => {
        const own = [id.replace(/-image$/, "-alt"), `${id}_alt`]
            .filter((name) => name !== id)
            .map((name) => document.getElementById(name))
            .filter(Boolean);
        const language = window.wagtailConfig?.ACTIVE_CONTENT_LOCALE;
        if (own.length > 0) return own.map((field) => [field, language]);
        return [...document.querySelectorAll("[id^='id_translations-'][id$='-alt']")]
            .filter((field) => !field.id.includes("__prefix__"))
            .map((field) => [field, document.getElementById(field.id.replace(/-alt$/, "-locale"))?.value]);
    };

    const suggest = async (chooser, id, picture) => {
        if (chooser.closest(".studio-decorative")) return;
        const fields = fieldsOf(id);
        if (fields.length === 0) return;
        const reply = await fetch(url.replace("/0/", `/${picture}/`)).catch(() => null);
        if (!reply?.ok || reply.redirected) return;
        const texts = await reply.json().catch(() => ({}));
        for (const [field, language] of fields) {
            if (field.value !== "" && field.value !== filled.get(field)) continue;
            const text = texts[language] ?? "";
            if (field.value === text) continue;
            filled.set(field, text);
            field.value = text;
            for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));
        }
    };

    /* Runs before a chooser opens, also for choosers added later. The button may be in a menu elsewhere in the page.
       */
    const listen = (event) => {
        if (!event.target.closest?.("[data-chooser-action-choose]")) return;
        for (const chooser of document.querySelectorAll(".image-chooser")) {
            const { widget } = chooser;
            if (!widget || heard.has(widget)) continue;
            heard.add(widget);
            widget.addEventListener("chosen", ({ detail }) => suggest(chooser, widget.input.id, detail.id));
        }
    };
    document.addEventListener("click", listen, true);
})();
