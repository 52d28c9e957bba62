/* A line of a page that is written where it stands in the preview: twice clicked, or F2 on its block. What is typed goes into the
   field of its form; the preview waits until it is done. */
(() => {
    const { openBlock, stay } = window.studioForm;
    const { findField } = window.studioBlockFields;
    let editing = null;

    const isOpen = () => editing !== null;

    const begin = ({ preview, frame, childOf }) => {
        /** The line at a place, if it is one of a plain field. Rich text is written in the form, where its tools are. */
        const edit = (block, place) => {
            const child = childOf(block.dataset.block);
            if (!child) return;
            openBlock(child.element);
            const found = findField(child.element, block, place);
            if (found && !found.input.matches("[data-draftail-input]")) start(child, found);
        };

        const start = (child, { input, at }) => {
            const before = at.innerHTML;
            stay();
            editing = at;
            at.contentEditable = "plaintext-only";
            at.textContent = input.value; // with its figures in braces, as they are written
            at.focus();
            at.ownerDocument.getSelection().selectAllChildren(at);
            const end = (isKept) => {
                if (editing !== at) return;
                editing = null;
                at.removeAttribute("contenteditable");
                const text = at.textContent.replace(/\s+/g, " ").trim();
                if (!isKept || text === input.value) {
                    at.innerHTML = before;
                    return;
                }
                child.element.dispatchEvent(new Event("studio:before-change"));
                input.value = text;
                for (const event of ["input", "change"]) input.dispatchEvent(new Event(event, { bubbles: true }));
            };
            at.addEventListener("blur", () => end(true));
            at.addEventListener("keydown", (event) => {
                event.stopPropagation();
                if (event.key !== "Enter" && event.key !== "Escape") return;
                event.preventDefault();
                const block = at.closest("[data-block]");
                end(event.key === "Enter");
                block.focus();
            });
        };

        // Another document would take away what is being typed.
        preview.addEventListener("w-preview:load", (event) => {
            if (isOpen()) event.preventDefault();
        });
        const attach = () => {
            const page = frame();
            if (!page || page.documentElement.dataset.inPlace) return;
            page.documentElement.dataset.inPlace = "";
            page.addEventListener("dblclick", (event) => {
                const block = event.target.closest("[data-block]");
                if (block && !isOpen()) edit(block, { x: event.clientX, y: event.clientY });
            });
            page.addEventListener("keydown", (event) => {
                const heading = event.key === "F2" && event.target.matches?.("[data-block]") && event.target.querySelector("h1, h2, h3");
                if (!heading) return;
                event.preventDefault();
                edit(event.target, { element: heading });
            });
        };
        preview.addEventListener("w-preview:loaded", attach);
        attach();
    };

    window.studioInPlace = { begin, isOpen };
})();
