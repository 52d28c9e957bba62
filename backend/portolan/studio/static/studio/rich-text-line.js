/* Edit a line of rich text in the preview. Changes go into the state of the form's editor, so links, comments and
   other marks stay. Only words are read from the page. */
(() => {
    const { CharacterMetadata, EditorState, Modifier, SelectionState } = window.DraftJS ?? {};
    const LINES = "p, li, h2, h3, h4, blockquote";
    const TAGS = { BOLD: "strong", ITALIC: "em", CODE: "code" };
    const STYLES = Object.fromEntries(Object.entries(TAGS).map(([style, tag]) => [tag, style]));
    /** The type of change for which Draft.js creates a separate undo step. */
    const STEP = "spellcheck-change";

    class RichTextLine {
        /** Null if the line has several lines or no editor. */
        static at({ input, line, at }) {
            const editor = input.draftailEditor;
            const element = at.closest(LINES);
            const key = rawLines(input)[line]?.key;
            if (!EditorState || !editor || !element || element.querySelector(LINES)) return null;
            const block = editor.getEditorState().getCurrentContent().getBlockForKey(key);
            const isWhole = block && element.textContent.length - at.textContent.length < 1;
            return isWhole ? new RichTextLine(input, editor, element, key) : null;
        }

        constructor(input, editor, element, key) {
            Object.assign(this, { input, editor, element, key });
            this.first = this.content;
            this.steps = this.state.getUndoStack().size;
        }

        get state() {
            return this.editor.getEditorState();
        }

        get content() {
            return this.state.getCurrentContent();
        }

        get block() {
            return this.content.getBlockForKey(this.key);
        }

        get isChanged() {
            return this.content !== this.first;
        }

        /** Styles and link for a replacement or an insertion, as if typed. */
        around(start, end) {
            const { block } = this;
            const at = start < end || start === 0 ? start : start - 1;
            const link = block.getEntityAt(at);
            const isInside = start < end || block.getEntityAt(start) === link;
            const styles = block.getInlineStyleAt(at).filter((style) => style in TAGS).toArray();
            return { styles, link: isInside ? link : null };
        }

        /** Whether the cursor is in a link. */
        isInLink(at) {
            return Boolean(this.block.getEntityAt(at) ?? (at > 0 ? this.block.getEntityAt(at - 1) : null));
        }

        can(style) {
            return this.editor.props.inlineStyles.some(({ type }) => type === style);
        }

        draw(start = null, end = start) {
            this.element.replaceChildren(...drawRuns(this.element.ownerDocument, this.block));
            if (start !== null) this.select(start, end);
        }

        select(start, end = start) {
            const selection = this.element.ownerDocument.getSelection();
            selection.setBaseAndExtent(...placeAt(this.element, start), ...placeAt(this.element, end));
        }

        /** Start and end of the selection; both are the cursor if nothing is selected. */
        get chosen() {
            const range = this.element.ownerDocument.createRange();
            const selection = this.element.ownerDocument.getSelection();
            if (!selection.rangeCount || !this.element.contains(selection.anchorNode)) return [0, 0];
            const at = selection.getRangeAt(0);
            range.selectNodeContents(this.element);
            range.setEnd(at.startContainer, at.startOffset);
            const start = range.toString().length;
            return [start, start + at.toString().length];
        }

        /** Apply the browser's change of the words. */
        takeOver() {
            const before = this.block.getText();
            const text = this.element.textContent;
            if (text === before) return;
            const [cursor] = this.chosen;
            const most = Math.min(before.length, text.length);
            let after = 0;
            while (after < Math.min(most, text.length - cursor) && before.at(-1 - after) === text.at(-1 - after)) after += 1;
            let same = 0;
            while (same < most - after && before[same] === text[same]) same += 1;
            this.replace(same, before.length - after, readRuns(this.element, same, text.length - after));
            if (this.element.innerHTML !== this.drawn()) this.draw(cursor);
        }

        drawn() {
            const drawn = this.element.ownerDocument.createElement("div");
            drawn.append(...drawRuns(drawn.ownerDocument, this.block));
            return drawn.innerHTML;
        }

        /** `runs`: the replacement, with styles and links. */
        replace(start, end, runs) {
            const marks = marksAround(this.block, start, end);
            let content = this.content;
            if (start < end) content = Modifier.removeRange(content, this.range(start, end), "backward");
            let at = start;
            for (const { text, styles, link } of runs) {
                const style = CharacterMetadata.create().getStyle().union([...styles, ...marks]);
                content = Modifier.insertText(content, this.range(at), text, style, link);
                at += text.length;
            }
            const isStep = !this.isChanged || runs.some(({ text }) => /\s/.test(text));
            this.push(content.merge({ selectionAfter: this.range(at) }), isStep ? STEP : "insert-characters");
        }

        toggle(style) {
            const [start, end] = this.chosen;
            const { block } = this;
            const isOn = [...Array(end - start).keys()].every((at) => block.getInlineStyleAt(start + at).has(style));
            const change = isOn ? Modifier.removeInlineStyle : Modifier.applyInlineStyle;
            this.push(change(this.content, this.range(start, end), style), "change-inline-style");
            this.draw(start, end);
        }

        /** At most back to the state before editing. */
        undo() {
            if (this.state.getUndoStack().size <= this.steps) return;
            this.set(EditorState.undo(this.state));
            this.draw(this.block.getLength());
        }

        redo() {
            this.set(EditorState.redo(this.state));
            this.draw(this.block.getLength());
        }

        /** Return the input, to restore it. */
        undo() {
            const typed = this.content;
            this.put(this.first);
            return typed;
        }

        put(content) {
            this.push(content, STEP);
        }

        /** Replace the selection by paragraphs, which only the form can show. */
        split(lines) {
            const [start, end] = this.chosen;
            let content = this.content;
            if (start < end) content = Modifier.removeRange(content, this.range(start, end), "backward");
            let at = this.range(start);
            for (const [place, text] of lines.entries()) {
                if (place > 0) {
                    content = Modifier.splitBlock(content, at);
                    at = content.getSelectionAfter();
                    const block = content.getBlockForKey(at.getStartKey());
                    const isNew = block.getType().startsWith("header-") && block.getLength() === 0;
                    if (isNew) content = Modifier.setBlockType(content, at, "unstyled");
                }
                if (!text) continue;
                content = Modifier.insertText(content, at, text);
                at = content.getSelectionAfter();
            }
            this.push(content, "split-block");
        }

        /** Select the same words in the form's editor. */
        chooseInForm() {
            this.set(EditorState.acceptSelection(this.state, this.range(...this.chosen)));
        }

        /** Focus the form's editor at its cursor when it is visible. */
        focusInForm() {
            const wrapper = this.input.parentElement;
            const selection = this.state.getSelection().set("hasFocus", true);
            const focus = () =>
                setTimeout(() => {
                    this.editor.focus();
                    this.editor.onChange(EditorState.forceSelection(this.state, selection));
                });
            wrapper.addEventListener("focusin", focus, { once: true });
        }

        range(start, end = start) {
            const place = { anchorOffset: start, focusOffset: end, isBackward: false, hasFocus: false };
            return SelectionState.createEmpty(this.key).merge(place);
        }

        push(content, what) {
            this.set(EditorState.push(this.state, content, what));
        }

        set(state) {
            const selection = state.getSelection().set("hasFocus", false); // the cursor is in the preview
            this.editor.onChange(EditorState.acceptSelection(state, selection));
        }
    }

    const rawLines = (input) => {
        try {
            return JSON.parse(input.value).blocks;
        } catch {
            return [];
        }
    };

    /** Parts of a line with the same styles and link. */
    const drawRuns = (page, block) => {
        const drawn = [];
        block.findEntityRanges(
            () => true,
            (start, end) => {
                const link = block.getEntityAt(start);
                const around = link ? page.createElement("a") : page.createDocumentFragment();
                if (link) {
                    around.setAttribute("href", "#");
                    around.dataset.link = link;
                }
                for (let at = start; at < end; ) {
                    const style = block.getInlineStyleAt(at);
                    let to = at + 1;
                    while (to < end && block.getInlineStyleAt(to).equals(style)) to += 1;
                    around.append(drawText(page, block.getText().slice(at, to), style));
                    at = to;
                }
                drawn.push(around);
            },
        );
        // Browsers do not show an empty line after a final break, and would put input before it.
        if (block.getText().endsWith("\n")) drawn.push(page.createElement("br"));
        return drawn;
    };

    const drawText = (page, text, style) => {
        let node = page.createTextNode(text);
        for (const [name, tag] of Object.entries(TAGS)) {
            if (!style.has(name)) continue;
            const element = page.createElement(tag);
            element.append(node);
            node = element;
        }
        return node;
    };

    /** The content between two places of a line on the page. */
    const readRuns = (element, start, end) => {
        const runs = [];
        let passed = 0;
        for (const node of textNodes(element)) {
            const text = node.data.slice(Math.max(0, start - passed), Math.max(0, end - passed));
            passed += node.data.length;
            if (!text) continue;
            const around = [];
            for (let at = node.parentElement; at !== element; at = at.parentElement) around.push(at);
            const styles = around.map(({ localName }) => STYLES[localName]).filter(Boolean);
            runs.push({ text, styles, link: around.find((at) => at.dataset.link)?.dataset.link ?? null });
        }
        return runs;
    };

    /** Styles on both sides of a place that the page does not show, such as those of comments. */
    const marksAround = (block, start, end) => {
        if (start === 0 || end >= block.getLength()) return [];
        const after = block.getInlineStyleAt(end);
        return block.getInlineStyleAt(start - 1).filter((style) => !(style in TAGS) && after.has(style)).toArray();
    };

    const textNodes = (element) => {
        const walker = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        const found = [];
        while (walker.nextNode()) found.push(walker.currentNode);
        return found;
    };

    const placeAt = (element, offset) => {
        let left = offset;
        for (const node of textNodes(element)) {
            if (left <= node.data.length) return [node, left];
            left -= node.data.length;
        }
        return [element, element.childNodes.length];
    };

    window.studioRichTextLine = RichTextLine;
})();
