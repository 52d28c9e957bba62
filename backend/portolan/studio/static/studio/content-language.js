/* Set the language and direction of a form's fields to those of their site. Labels, help texts and tools keep the
   studio's language. The site of a row sets its language (see `content_language.py`). */
(() => {
    const said = document.querySelector('meta[name="studio-content-language"]');
    if (!said) return;
    const { own, rows } = JSON.parse(said.content);

    const TEXTS = [
        'input[type="text"]:not([data-controller~="w-date"], [data-controller~="w-time"], [data-controller~="w-locale"])',
        "textarea",
        ".DraftEditor-root",
        ".chooser__title",
        ".c-sf-block__title",
    ].join();
    /** Fields in Latin letters, left to right on every site. */
    const TECHNICAL = /(^|-)(slug|key|anchor|url|path|target|value|service|email|phone|registration|code)$/;
    /** Texts that are not content of a site. */
    const NOT_CONTENT = "[data-side-panel], .w-dialog, [data-comment-replies], [data-studio-own-language]";
    /** Names of files may be in any language. */
    const LIBRARY = ".image-chooser, .document-chooser";
    const ROW = "[data-inline-panel-child]";
    const LOCALE = 'select[name$="-locale"]';

    const languageOf = (element) => {
        const chosen = element.closest(ROW)?.querySelector(LOCALE);
        return (chosen && rows[chosen.value]) || own;
    };

    const ours = new WeakSet();

    const mark = (element) => {
        if (element.closest(NOT_CONTENT) || (element.dir && !ours.has(element))) return;
        const language = languageOf(element);
        if (!language) return;
        ours.add(element);
        if (TECHNICAL.test(element.name ?? "")) {
            element.dir = "ltr";
            return;
        }
        if (element.closest(LIBRARY)) {
            element.dir = "auto";
            return;
        }
        element.dir = language.dir;
        element.lang = language.lang;
    };

    const markAll = (root) => {
        if (root.matches(TEXTS)) mark(root);
        for (const element of root.querySelectorAll(TEXTS)) mark(element);
    };

    /** Draft.js sets the direction of a paragraph by its first letter, such as that of `{company}`, unless it is set.
        */
    const withDirection = (options, element) => ({
        ...options,
        textDirectionality: languageOf(element)?.dir === "rtl" ? "RTL" : "LTR",
    });

    const { draftail } = window;
    if (draftail) {
        const { initEditor } = draftail;
        draftail.initEditor = (selector, options, script) => {
            const field = (script?.parentElement ?? document).querySelector(selector) ?? document.querySelector(selector);
            return initEditor(selector, field ? withDirection(options, field) : options, script);
        };
        const { prototype } = draftail.DraftailRichTextArea;
        const { render } = prototype;
        prototype.render = function (place, ...others) {
            const widget = Object.create(this, { options: { value: withDirection(this.options, place), writable: true } });
            return render.call(widget, place, ...others);
        };
    }

    const begin = () => {
        for (const form of document.querySelectorAll("[data-edit-form]")) {
            markAll(form);
            // Blocks, rows and chosen items are added later.
            new MutationObserver((changes) => {
                for (const { addedNodes } of changes) for (const node of addedNodes) if (node.nodeType === Node.ELEMENT_NODE) markAll(node);
            }).observe(form, { childList: true, subtree: true });
            form.addEventListener("change", ({ target }) => {
                if (target.matches(LOCALE)) markAll(target.closest(ROW) ?? target);
            });
        }
    };
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
    else begin();
})();
