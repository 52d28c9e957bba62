/* Weight and slant of pasted text. Google Docs, Word online and Pages write them as style attributes, and around everything Google
   Docs puts a <b> that is not bold. The studio's policy takes style attributes out of a parsed document, so the editor of rich text
   would see that <b> alone. Here they become <strong> and <em> before it parses them. */
(() => {
    const EDITOR = "[data-draftail-editor-wrapper]";
    const KEPT = "data-pasted-style";
    const HEADINGS = "h1, h2, h3, h4, h5, h6";
    /** The editor knows its own by these, and has all it needs. */
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

    /** The same HTML without style attributes; null where it has none. */
    const readStyles = (html) => {
        // Under another name they are no business of the policy.
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

    /** What the nearest element around the words says that says anything. */
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
