/* Tools for a block next to the preview. They use Wagtail's own form, so drafts, checks and comments work as usual.
   */
(() => {
    const CLIPBOARD = "studio:copied-block";

    /** Like crypto.randomUUID, which needs HTTPS. */
    const newId = () => {
        const bytes = crypto.getRandomValues(new Uint8Array(16));
        bytes[6] = (bytes[6] & 0x0f) | 0x40;
        bytes[8] = (bytes[8] & 0x3f) | 0x80;
        const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
        return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
    };

    /** A state as the server sent it, even if its rich text is open in an editor. */
    const asData = (state) => {
        if (typeof state?.getCurrentContent === "function") return JSON.stringify(window.Draftail.serialiseEditorStateToRaw(state));
        if (Array.isArray(state)) return state.map(asData);
        if (state === null || typeof state !== "object") return state;
        return Object.fromEntries(Object.entries(state).map(([name, value]) => [name, asData(value)]));
    };

    const readClipboard = () => {
        try {
            return JSON.parse(localStorage.getItem(CLIPBOARD));
        } catch {
            return null;
        }
    };

    /** `say(text, undo?)` shows a message; `select(id)` selects a block; `small`: whether the preview covers the
        form. */
    const toolsFor = (stream, words, say, select, small) => {
        const indexOf = (id) => stream.children.findIndex((child) => child.id === id);
        const labelOf = (child) => child.blockDef.meta.label;
        const fill = (text, label) => text.replace("{block}", label);

        const isFull = (type) => {
            const most = stream.getBlockMax(type);
            return typeof most === "number" && stream.getBlockCount(type) >= most;
        };

        const move = (id, by) => {
            const index = indexOf(id);
            const to = index + by;
            if (index < 0 || to < 0 || to >= stream.children.length) return;
            stream.moveBlock(index, to);
            select(id);
            say(words.moved.replace("{place}", String(to + 1)).replace("{count}", String(stream.children.length)));
        };

        const insert = (state, index, focus) => {
            const child = stream.insert({ ...state, id: state.id ?? newId() }, index, { animate: false, focus });
            select(child.id);
            return child;
        };

        /** An anchor belongs to one block of a page. */
        const withOwnAnchor = (value) => {
            const isTaken = stream.children.some(({ block }) => value.anchor && block.getState().anchor === value.anchor);
            return isTaken ? { ...value, anchor: "", anchor_title: "" } : value;
        };

        const add = (id, by) => {
            const inserter = stream.inserters[id ? indexOf(id) + by : 0];
            small.makeRoom();
            inserter.element.scrollIntoView({ block: "center", behavior: "instant" });
            if (inserter.open) inserter.open();
            else inserter.addButton.click();
        };

        const copy = (id) => {
            const child = stream.children[indexOf(id)];
            const { type, value } = child.getDuplicatedState();
            try {
                localStorage.setItem(CLIPBOARD, JSON.stringify({ type, value: asData(value), label: labelOf(child) }));
                say(fill(words.copied, labelOf(child)));
            } catch {
                say(words.notCopied);
            }
        };

        const duplicate = (id) => {
            const child = stream.children[indexOf(id)];
            if (isFull(child.type)) return say(fill(words.full, labelOf(child)));
            const { type, value } = child.getDuplicatedState();
            insert({ type, value: withOwnAnchor(value) }, indexOf(id) + 1, !small.isCovering());
            say(fill(words.duplicated, labelOf(child)));
        };

        const paste = (id) => {
            const copied = readClipboard();
            if (!copied) return say(words.nothingCopied);
            const def = stream.blockDef.childBlockDefsByName[copied.type];
            if (!def) return say(fill(words.notOffered, copied.label));
            if (isFull(copied.type)) return say(fill(words.full, def.meta.label));
            try {
                insert({ type: copied.type, value: withOwnAnchor(copied.value) }, id ? indexOf(id) + 1 : 0, !small.isCovering());
                say(fill(words.pasted, def.meta.label));
            } catch {
                say(fill(words.notPasted, def.meta.label)); // of another version of the studio
            }
        };

        const remove = (id) => {
            const index = indexOf(id);
            const child = stream.children[index];
            const state = child.getState();
            stream.deleteBlock(index, { animate: false });
            select((stream.children[index] ?? stream.children[index - 1])?.id ?? null);
            say(fill(words.deleted, labelOf(child)), () => {
                insert(state, Math.min(index, stream.children.length), false);
                say(fill(words.isBack, labelOf(child)));
            });
        };

        return { move, add, copy, duplicate, paste, remove };
    };

    window.studioBlockTools = { toolsFor, hasCopied: () => readClipboard() !== null };
})();
