/* Find the field of a block's form for a text in the preview. It compares texts, so components need no change. */
(() => {
    const PICTURES = "picture, img, svg[role='img'], video";
    const plain = (text) => text.replaceAll("\u00ad", "").replace(/\s+/g, " ").trim();

    /** Its value is in a hidden field next to its editor, which has the mark of Draftail. */
    const isRichText = (input) => Boolean(input.draftailEditor);

    /** All lines of a block's form with their fields. Rich text has one line for each paragraph. */
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

    /** Company figures are in braces in the form, and numbers on the page. */
    const says = (line, text) => {
        if (line === text) return true;
        if (!/\{\w+\}/.test(line)) return false;
        const parts = line.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
        return new RegExp(`^${parts.join(".{1,40}")}$`).test(text);
    };

    /** The visible text: a break is a space. */
    const textOf = (element) => {
        if (!element.querySelector("br")) return plain(element.textContent);
        const copy = element.cloneNode(true);
        for (const each of copy.querySelectorAll("br")) each.replaceWith(" ");
        return plain(copy.textContent);
    };

    /** Return the field for a place in a block, its lines, and the element that shows it; null if there is none. */
    const findField = (form, block, place) => {
        const lines = findLines(form);
        for (const at of elementsAt(block, place)) {
            const text = textOf(at);
            const found = text ? lines.filter((each) => says(each.text, text)) : [];
            if (found.length > 0) return { ...found[placeOf(at, text, block, found.length)], at };
        }
        return null;
    };

    /** The smallest first, because a link may cover a whole card and its texts. `element` is one that is known. */
    const elementsAt = (block, { element, x, y }) => {
        if (element) return [element];
        const area = (each) => {
            const { width, height } = each.getBoundingClientRect();
            return width * height;
        };
        const found = block.ownerDocument.elementsFromPoint(x, y).filter((each) => block.contains(each) && each !== block);
        return found.sort((a, b) => area(a) - area(b));
    };

    /** If several fields have the same text, use the one at the same position as on the page. */
    const placeOf = (at, text, block, count) => {
        const same = [...block.querySelectorAll(at.localName)].filter((each) => textOf(each) === text);
        return Math.max(0, Math.min(same.indexOf(at), count - 1));
    };

    /** The chooser of the image at a place. */
    const findPicture = (form, block, place) => {
        const picture = elementsAt(block, place).find((each) => each.matches(PICTURES));
        if (!picture) return null;
        const all = [...block.querySelectorAll(PICTURES)].filter((each) => !each.parentElement.closest("picture"));
        const choosers = [...form.querySelectorAll(".image-chooser")].filter((each) => !each.classList.contains("blank"));
        return choosers[Math.min(all.indexOf(picture.closest("picture") ?? picture), choosers.length - 1)] ?? null;
    };

    window.studioBlockFields = { findField, findPicture, isRichText };
})();
