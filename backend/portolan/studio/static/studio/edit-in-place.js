/* Edit a text in the preview, after a double click or F2 on its block. Input goes into the field of the form at the
   end, and into a rich text editor at once. The preview waits until editing ends. */
(() => {
    const { goTo, openBlock, stay } = window.studioForm;
    const { findField, isRichText } = window.studioBlockFields;
    const TEXTS = "h1, h2, h3, h4, p, li, blockquote";
    /** The form's rich text editor updates its value after 250 ms. */
    const SAVED_MS = 400;
    let editing = null;
    /** Ends editing; true keeps the input. */
    let finish = null;

    const isOpen = () => editing !== null;

    const begin = ({ preview, frame, childOf, bar, small, words }) => {
        /** Edit the text at a place. If that is not possible, open its form and give the reason. */
        const edit = (block, place) => {
            const child = childOf(block.dataset.block);
            if (!child) return;
            openBlock(child.element);
            const found = findField(child.element, block, place);
            if (!found) leaveTo(child.element, words.fromElsewhere);
            else if (!isRichText(found.input)) writeLine(child, found);
            else {
                const line = window.studioRichTextLine.at(found);
                if (line) writeRichText(child, line, place);
                else leaveTo(found.input, words.notAsOne);
            }
        };

        const leaveTo = (field, why) => {
            small.makeRoom(why);
            goTo(field.closest("[data-contentpath]"));
            bar.say(why);
        };

        const start = (element, kind, end) => {
            stay();
            editing = element;
            finish = end;
            element.contentEditable = kind;
            element.focus();
        };

        const stop = (element) => {
            editing = finish = null;
            element.removeAttribute("contenteditable");
            bar.showFormatting(null);
        };

        /** Edit the next or previous text of the block. */
        const step = (from, by) => {
            const block = from.closest("[data-block]");
            const texts = [...block.querySelectorAll(TEXTS)].filter((each) => each === from || each.checkVisibility());
            const form = childOf(block.dataset.block)?.element;
            for (let at = texts.indexOf(from) + by; form && texts[at]; at += by) {
                const found = findField(form, block, { element: texts[at] });
                const isOne = found && (!isRichText(found.input) || window.studioRichTextLine.at(found));
                if (isOne) return edit(block, { element: texts[at] });
            }
            block.focus();
        };

        const writeLine = (child, { input, at }) => {
            const before = at.innerHTML;
            const over = new AbortController();
            const put = (text) => {
                child.element.dispatchEvent(new Event("studio:before-change"));
                input.value = text;
                for (const event of ["input", "change"]) input.dispatchEvent(new Event(event, { bubbles: true }));
            };
            const end = (isKept) => {
                if (editing !== at) return;
                over.abort();
                stop(at);
                const text = at.textContent.replace(/\s+/g, " ").trim();
                const isChanged = text !== input.value;
                if (isChanged && isKept) put(text);
                else at.innerHTML = before;
                if (isChanged && !isKept) bar.say(words.undone, () => put(text));
                showAgain(false);
            };
            start(at, "plaintext-only", end);
            at.textContent = input.value; // with its figures in braces, as they are written
            at.ownerDocument.getSelection().selectAllChildren(at);
            at.addEventListener("blur", () => end(true), { signal: over.signal });
            at.addEventListener(
                "keydown",
                (event) => {
                    event.stopPropagation();
                    // Input methods use Enter and Escape themselves while they compose.
                    if (event.isComposing || !["Enter", "Escape", "Tab"].includes(event.key)) return;
                    event.preventDefault();
                    end(event.key !== "Escape");
                    if (event.key === "Tab") step(at, event.shiftKey ? -1 : 1);
                    else at.closest("[data-block]").focus();
                },
                { signal: over.signal },
            );
        };

        const writeRichText = (child, line, place) => {
            const { element, input } = line;
            const before = element.innerHTML;
            const over = new AbortController();
            const listen = (name, act) => element.addEventListener(name, act, { signal: over.signal });
            const end = (isKept) => {
                if (editing !== element) return;
                over.abort();
                delete element.dataset.richText;
                stop(element);
                const isChanged = line.isChanged;
                if (isChanged && !isKept) {
                    const typed = line.undo();
                    bar.say(words.undone, () => {
                        line.put(typed);
                        showAgain(true);
                    });
                }
                if (!isChanged || !isKept) element.innerHTML = before;
                showAgain(isChanged);
            };
            child.element.dispatchEvent(new Event("studio:before-change"));
            start(element, "true", end);
            element.dataset.richText = "";
            line.draw();
            putCursor(line, place);
            bar.say(words.richText);

            /** Continue in the form, with the cursor at the same place. */
            const leave = (why) => {
                line.focusInForm();
                end(true);
                leaveTo(input, why);
            };
            const toggle = (style) => {
                const [from, to] = line.chosen;
                if (!line.can(style)) bar.say(words.noStyle);
                else if (from === to) bar.say(words.chooseWords);
                else line.toggle(style);
            };
            const link = () => {
                const [from, to] = line.chosen;
                if (from === to && !line.isInLink(from)) return bar.say(words.chooseWords);
                line.chooseInForm();
                leave(words.linkInForm);
            };
            const splitAt = (lines, why) => {
                line.split(lines);
                leave(why);
            };
            bar.showFormatting({ bold: () => toggle("BOLD"), italic: () => toggle("ITALIC"), link });

            const paste = (data) => {
                const lines = (data?.getData("text/plain") ?? "").split(/\s*\n\s*/).filter(Boolean);
                if (lines.length > 1) splitAt(lines, words.pastedInForm);
                else if (lines.length > 0) putIn(lines[0]);
            };
            const putIn = (text) => {
                const [from, to] = line.chosen;
                line.replace(from, to, [{ text, ...line.around(from, to) }]);
                line.draw(from + text.length);
            };
            const instead = {
                insertParagraph: () => splitAt(["", ""], words.paragraphInForm),
                insertLineBreak: () => putIn("\n"),
                insertFromPaste: ({ dataTransfer }) => paste(dataTransfer),
                insertFromDrop: ({ dataTransfer }) => paste(dataTransfer),
                historyUndo: () => line.undo(),
                historyRedo: () => line.redo(),
            };
            listen("beforeinput", (event) => {
                const act = instead[event.inputType];
                if (!act && !event.inputType.startsWith("format")) return;
                event.preventDefault();
                act?.(event);
            });
            listen("input", ({ isComposing }) => {
                if (!isComposing) line.takeOver();
            });
            listen("compositionend", () => line.takeOver());
            listen("blur", () => end(true));
            listen("keydown", (event) => {
                event.stopPropagation();
                if (event.isComposing) return;
                const key = event.key.toLowerCase();
                const act =
                    event.ctrlKey || event.metaKey
                        ? {
                              b: () => toggle("BOLD"),
                              i: () => toggle("ITALIC"),
                              k: link,
                              z: () => (event.shiftKey ? line.redo() : line.undo()),
                              y: () => line.redo(),
                          }[key]
                        : {
                              escape: () => {
                                  end(false);
                                  element.closest("[data-block]").focus();
                              },
                              tab: () => {
                                  end(true);
                                  step(element, event.shiftKey ? -1 : 1);
                              },
                          }[key];
                if (!act) return;
                event.preventDefault();
                act();
            });
        };

        const controller = () => window.wagtail.app.getControllerForElementAndIdentifier(preview, "w-preview");
        // Delay new documents while a text is edited, because they would replace it.
        let isBehind = false;
        preview.addEventListener("w-preview:load", (event) => {
            if (!isOpen()) return;
            event.preventDefault();
            isBehind = true;
        });
        const setAside = (event) => {
            if (!isOpen() || event.target === editing.ownerDocument.defaultView.frameElement) return;
            event.stopPropagation(); // before Wagtail puts it in the place of the one that is written in
            event.target.remove();
            isBehind = true;
            controller().finishUpdate();
        };
        preview.addEventListener("load", setAside, { capture: true });
        /** Update the preview with the changes that it missed during editing. */
        const showAgain = (isChanged) => {
            if (!isChanged && !isBehind) return;
            isBehind = false;
            const shown = controller();
            setTimeout(async () => {
                // While the preview loads, it ignores requests for a newer version. Wait, then request it.
                await Promise.allSettled([shown.updatePromise]);
                await shown.reloadPromise;
                shown.setPreviewData();
            }, SAVED_MS);
        };

        const attach = () => {
            finish?.(true); // what it was typed into is gone
            const page = frame();
            if (!page || page.documentElement.dataset.inPlace) return;
            page.documentElement.dataset.inPlace = "";
            page.addEventListener("dblclick", (event) => {
                const block = event.target.closest("[data-block]");
                if (block && !isOpen()) edit(block, { x: event.clientX, y: event.clientY });
            });
            page.addEventListener("keydown", (event) => {
                const block = event.key === "F2" && event.target.matches?.("[data-block]") ? event.target : null;
                if (!block) return;
                event.preventDefault();
                const child = childOf(block.dataset.block);
                const heading = block.querySelector("h1, h2, h3");
                if (!child) return;
                openBlock(child.element);
                if (heading && findField(child.element, block, { element: heading })) edit(block, { element: heading });
                else step(block, 1);
            });
        };
        preview.addEventListener("w-preview:loaded", attach);
        attach();
    };

    /** At the click, or at the end. */
    const putCursor = (line, { x, y }) => {
        const at = x === undefined ? null : line.element.ownerDocument.caretRangeFromPoint?.(x, y);
        if (at && line.element.contains(at.startContainer)) line.element.ownerDocument.getSelection().collapse(at.startContainer, at.startOffset);
        else line.select(line.block.getLength());
    };

    window.studioInPlace = { begin, isOpen };
})();
