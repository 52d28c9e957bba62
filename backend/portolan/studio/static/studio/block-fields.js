/* Which field of a block's form says what is shown in a preview: found by what it says, so that no component has to know. */
(() => {
    const PICTURES = "picture, img, svg[role='img'], video";
    const plain = (text) => text.replaceAll("\u00ad", "").replace(/\s+/g, " ").trim();

    /** Its value is in a hidden field beside its editor, which only the editor's own mark tells from others. */
    const isRichText = (input) => Boolean(input.draftailEditor);

    /** Every line of a block's form and whose it is: of rich text there is one for each paragraph. */
    const findLines = (form) =>
        [...form.querySelectorAll('input[type="text"], input:not([type]), input[type="url"], input[type="hidden"], textarea')]
            .filter((input) => input.type !== "hidden" || isRichText(input))
            .filter((input) => !input.closest("[data-streamfield-child]")?.querySelector(':scope > input[name$="-deleted"][value="1"]'))
            .flatMap((input) => linesOf(input).map((text, line) => ({ input, line, text: plain(text) })))
            .filter(({ text }) => text);

    const linesOf = (input) => {
        if (!isRichText(input)) return [input.value];
        try {
            return JSON.parse(input.value || "null")?.blocks.map(({ text }) => text) ?? [];
        } catch {
            return [];
        }
    };

    /** Figures of the company stand in braces in the form, and as numbers on the page. */
    const says = (line, text) => {
        if (line === text) return true;
        if (!/\{\w+\}/.test(line)) return false;
        const parts = line.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
        return new RegExp(`^${parts.join(".{1,40}")}$`).test(text);
    };

    /** As it is read: a break is a space. */
    const textOf = (element) => {
        if (!element.querySelector("br")) return plain(element.textContent);
        const copy = element.cloneNode(true);
        for (const each of copy.querySelectorAll("br")) each.replaceWith(" ");
        return plain(copy.textContent);
    };

    /** The field that says what stands at a place of a block, in which of its lines, and the element that shows it; null where
        none does. */
    const findField = (form, block, place) => {
        const lines = findLines(form);
        for (const at of elementsAt(block, place)) {
            const text = textOf(at);
            const found = text ? lines.filter((each) => says(each.text, text)) : [];
            if (found.length > 0) return { ...found[placeOf(at, text, block, found.length)], at };
        }
        return null;
    };

    /** The smallest first: a link may lie on all of a card, and its texts below it. `element` is one that is known. */
    const elementsAt = (block, { element, x, y }) => {
        if (element) return [element];
        const area = (each) => {
            const { width, height } = each.getBoundingClientRect();
            return width * height;
        };
        const found = block.ownerDocument.elementsFromPoint(x, y).filter((each) => block.contains(each) && each !== block);
        return found.sort((a, b) => area(a) - area(b));
    };

    /** Of several fields that say the same, the one that stands in the form where the text stands on the page. */
    const placeOf = (at, text, block, count) => {
        const same = [...block.querySelectorAll(at.localName)].filter((each) => textOf(each) === text);
        return Math.max(0, Math.min(same.indexOf(at), count - 1));
    };

    /** The chooser of the picture at a place. */
    const findPicture = (form, block, place) => {
        const picture = elementsAt(block, place).find((each) => each.matches(PICTURES));
        if (!picture) return null;
        const all = [...block.querySelectorAll(PICTURES)].filter((each) => !each.parentElement.closest("picture"));
        const choosers = [...form.querySelectorAll(".image-chooser")].filter((each) => !each.classList.contains("blank"));
        return choosers[Math.min(all.indexOf(picture.closest("picture") ?? picture), choosers.length - 1)] ?? null;
    };

    window.studioBlockFields = { findField, findPicture, isRichText };
})();
