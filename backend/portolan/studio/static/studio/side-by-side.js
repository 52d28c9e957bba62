/* Keys, counters and warnings of the side-by-side editor. Without this script, the form works and the server checks. */
(() => {
    const { lost: lostWords, length: lengthWords } = document.currentScript.dataset;
    let form, texts, left;

    const isOpen = (text) => text.dataset.state !== "done" && !text.querySelector("[data-done]")?.checked;
    const isShown = (text) => text.checkVisibility();

    /** A rich text editor keeps its JSON in the field. */
    const valueOf = (text) => {
        const { value } = text.querySelector("[data-field] :is(textarea, input)");
        if (!value.startsWith("{")) return value;
        try {
            return JSON.parse(value).blocks.map((block) => block.text).join("\n");
        } catch {
            return value;
        }
    };

    const focus = (text) => {
        if (!text) return form.querySelector("[data-save]").focus();
        text.scrollIntoView({ block: "nearest" });
        return text.querySelector('[data-field] :is([contenteditable="true"], textarea, input:not([type="hidden"]))')?.focus();
    };

    const count = () => {
        left.textContent = texts.filter(isOpen).length;
    };

    const check = (text) => {
        const value = valueOf(text);
        const limit = Number(text.querySelector("[data-limit]")?.dataset.limit);
        const length = text.querySelector("[data-length]");
        if (length && limit) {
            length.textContent = lengthWords.replace("{count}", [...value].length).replace("{limit}", limit);
            length.toggleAttribute("data-over", [...value].length > limit);
        }
        const terms = [...text.querySelectorAll("[data-term]")].map((term) => term.dataset.term);
        const folded = value.toLocaleLowerCase();
        const lost = [
            ...text.dataset.placeholders.split(" ").filter((code) => code && !value.includes(code)),
            ...terms.filter((term) => !folded.includes(term.toLocaleLowerCase())),
        ];
        const said = text.querySelector("[data-lost]");
        said.textContent = lost.length && value ? lostWords.replace("{codes}", lost.join(", ")) : "";
    };

    const take = (text, value) => {
        const field = text.querySelector("[data-field] :is(textarea, input)");
        if (field.draftailEditor) field.draftailEditor.onChange(window.Draftail.createEditorStateFromRaw(JSON.parse(value)));
        else {
            field.value = value;
            field.dispatchEvent(new Event("input", { bubbles: true }));
        }
        focus(text);
    };

    const move = (text, step, isWanted) => {
        const start = texts.indexOf(text) + step;
        for (let place = start; place >= 0 && place < texts.length; place += step) {
            if (isShown(texts[place]) && isWanted(texts[place])) return focus(texts[place]);
        }
        return step > 0 ? focus(null) : undefined;
    };

    const press = (event) => {
        const text = event.target.closest("[data-pair]");
        if (!text) return;
        const isDone = event.key === "Enter" && (event.ctrlKey || event.metaKey);
        const first = event.altKey && event.key === "Enter" && text.querySelector("[data-take]");
        const step = event.altKey && { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (!isDone && !step && !first) return;
        event.preventDefault();
        event.stopPropagation(); // the rich text editor has keys of its own
        if (first) {
            take(text, first.dataset.take);
            return;
        }
        if (step) {
            move(text, step, () => true);
            return;
        }
        const done = text.querySelector("[data-done]");
        if (done && !done.checked) done.click();
        move(text, 1, isOpen);
    };

    /** Wagtail's rich text editor has no accessible name of its own. */
    const nameEditors = () => {
        for (const text of texts) {
            const editor = text.querySelector('[contenteditable="true"]:not([aria-labelledby])');
            editor?.setAttribute("aria-labelledby", text.getAttribute("aria-labelledby"));
        }
    };

    const begin = () => {
        form = document.getElementById("w-editor-form");
        texts = [...form.querySelectorAll("[data-pair]")];
        left = form.querySelector("[data-left]");
        form.addEventListener("keydown", press, { capture: true });
        form.addEventListener("click", ({ target }) => {
            const button = target.closest("[data-take]");
            if (button) take(button.closest("[data-pair]"), button.dataset.take);
        });
        form.addEventListener("change", ({ target }) => {
            if (target.matches("[data-done]")) count();
        });
        for (const text of texts) {
            check(text);
            text.addEventListener("input", () => check(text));
            const rich = text.querySelector("[data-draftail-input]");
            if (rich) new MutationObserver(() => check(text)).observe(rich, { attributeFilter: ["value"] });
        }
        nameEditors();
        new MutationObserver(nameEditors).observe(form, { childList: true, subtree: true });
    };

    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
    else begin();
})();
