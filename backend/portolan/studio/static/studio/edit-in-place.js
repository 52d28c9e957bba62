/* A text of a page that is written where it stands in the preview: twice clicked, or F2 on its block. What is typed goes into the
   field of its form, and into the editor of rich text as it is typed; the preview waits until it is done. */
(() => {
    const { goTo, openBlock, stay } = window.studioForm;
    const { findField, isRichText } = window.studioBlockFields;
    const TEXTS = "h1, h2, h3, h4, p, li, blockquote";
    /** The form's editor of rich text says what it has after a quarter of a second. */
    const SAVED_MS = 400;
    let editing = null;
    /** Ends it, with what is typed. */
    let finish = null;

    const isOpen = () => editing !== null;

    const begin = ({ preview, frame, childOf, bar, small, words }) => {
        /** The text at a place. Where it cannot be written, its form is opened and it is said why. */
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

        /** The next text of the block that can be written, or the one before. */
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
                    // An input method confirms with Enter and gives up with Escape what it has not written yet.
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

            /** On with it in the form, where the cursor is put, too. */
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
        // Another document would take away what is being typed: none is asked for, and one that was on its way is put aside.
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
        /** The preview, with what it has not shown while somebody was writing in it. */
        const showAgain = (isChanged) => {
            if (!isChanged && !isBehind) return;
            isBehind = false;
            const shown = controller();
            setTimeout(async () => {
                // While it is being drawn it takes no newer version, and forgets that it was asked to. What it is drawing may be older.
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

    /** Where it was clicked, or at the end. */
    const putCursor = (line, { x, y }) => {
        const at = x === undefined ? null : line.element.ownerDocument.caretRangeFromPoint?.(x, y);
        if (at && line.element.contains(at.startContainer)) line.element.ownerDocument.getSelection().collapse(at.startContainer, at.startOffset);
        else line.select(line.block.getLength());
    };

    window.studioInPlace = { begin, isOpen };
})();
