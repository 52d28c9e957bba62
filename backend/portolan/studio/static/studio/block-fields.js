/* Which field of a block's form says what is shown in a preview: found by what it says, so that no component has to know. */
(() => {
    const PICTURES = "picture, img, svg[role='img'], video";
    const plain = (text) => text.replaceAll("\u00ad", "").replace(/\s+/g, " ").trim();

    /** Every text field of a block's form, with its lines: of rich text one for each paragraph. */
    const fieldsOf = (form) =>
        [...form.querySelectorAll('input[type="text"], input:not([type]), input[type="url"], textarea, [data-draftail-input]')]
            .filter((input) => !input.closest("[data-streamfield-child]")?.querySelector(':scope > input[name$="-deleted"][value="1"]'))
            .map((input) => ({ input, lines: linesOf(input).map(plain).filter(Boolean) }));

    const linesOf = (input) => {
        if (!input.matches("[data-draftail-input]")) return [input.value];
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

    /** The field that says what stands at a place of a block, and the element that shows it; null where none does. */
    const findField = (form, block, place) => {
        const fields = fieldsOf(form);
        for (const at of elementsAt(block, place)) {
            const text = plain(at.textContent);
            const found = text ? fields.filter(({ lines }) => lines.some((line) => says(line, text))) : [];
            if (found.length > 0) return { input: found[placeOf(at, text, block, found.length)].input, at };
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
        const same = [...block.querySelectorAll(at.localName)].filter((each) => plain(each.textContent) === text);
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

    window.studioBlockFields = { findField, findPicture };
})();
