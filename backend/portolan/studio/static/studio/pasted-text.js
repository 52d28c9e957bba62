/* Keep bold and italic in pasted text. Google Docs, Word online and Pages use style attributes, and Google Docs puts
   a <b> that is not bold around everything. The content policy removes style attributes while parsing, so only that
   <b> would be left. This script creates <strong> and <em> before the editor parses the text. */
(() => {
    const EDITOR = "[data-draftail-editor-wrapper]";
    const KEPT = "data-pasted-style";
    const HEADINGS = "h1, h2, h3, h4, h5, h6";
    /** Marks of the editor's own HTML, which needs no change. */
    const OWN = /data-draftjs-conductor-fragment|data-editor="/;

    document.addEventListener(
        "paste",
        (event) => {
            const { target, clipboardData: given } = event;
            const html = given?.getData("text/html");
            if (!html || !event.isTrusted || !target.closest?.(EDITOR) || OWN.test(html)) return;
            const read = readStyles(html);
            if (read === null) return;
            const clipboardData = new DataTransfer();
            for (const type of given.types) if (type !== "Files") clipboardData.setData(type, type === "text/html" ? read : given.getData(type));
            event.preventDefault();
            event.stopImmediatePropagation();
            target.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true, composed: true }));
        },
        true,
    );

    /** The same HTML without style attributes; null if it has none. */
    const readStyles = (html) => {
        // The policy ignores them under another name.
        const text = html.replace(/<[a-z][^<>]*>/gi, (tag) => tag.replace(/\sstyle\s*=/gi, ` ${KEPT}=`));
        if (text === html) return null;
        const page = new DOMParser().parseFromString(text, "text/html");
        for (const each of page.querySelectorAll("style, link, meta, script")) each.remove();
        for (const words of textsOf(page.body)) {
            const isBold = says(words, weightOf) && !words.parentElement.closest(HEADINGS);
            const isSlanted = says(words, slantOf);
            if (isSlanted) wrap(words, "em");
            if (isBold) wrap(words, "strong");
        }
        for (const each of page.querySelectorAll("b, strong:not([data-made]), i, em:not([data-made])")) each.replaceWith(...each.childNodes);
        for (const each of page.querySelectorAll(`[${KEPT}], [data-made]`)) for (const name of [KEPT, "data-made"]) each.removeAttribute(name);
        return page.body.innerHTML;
    };

    const textsOf = (body) => {
        const walker = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT);
        const found = [];
        while (walker.nextNode()) if (walker.currentNode.data.trim()) found.push(walker.currentNode);
        return found;
    };

    const wrap = (words, name) => {
        const around = words.ownerDocument.createElement(name);
        around.dataset.made = "";
        words.replaceWith(around);
        around.append(words);
    };

    /** The nearest setting of an element around the words. */
    const says = (words, read) => {
        for (let at = words.parentElement; at; at = at.parentElement) {
            const said = read(at);
            if (said !== null) return said;
        }
        return false;
    };

    const declared = (element, name) => {
        const all = (element.getAttribute(KEPT) ?? "").split(";").map((each) => each.split(":"));
        return all.findLast(([property]) => property.trim().toLowerCase() === name)?.[1]?.trim().toLowerCase() ?? null;
    };

    const weightOf = (element) => {
        const weight = declared(element, "font-weight");
        if (weight !== null && !/^(inherit|unset)/.test(weight)) return /^bold/.test(weight) || Number.parseInt(weight, 10) >= 600;
        const font = declared(element, "font");
        if (font !== null) return /\b(bold|bolder|[6-9]00)\b(?!\s*px|\s*pt)/.test(font);
        return element.matches("b, strong") ? true : null;
    };

    const slantOf = (element) => {
        const slant = declared(element, "font-style");
        if (slant !== null && !/^(inherit|unset)/.test(slant)) return /^(italic|oblique)/.test(slant);
        const font = declared(element, "font");
        if (font !== null) return /\b(italic|oblique)\b/.test(font);
        return element.matches("i, em") ? true : null;
    };
})();
