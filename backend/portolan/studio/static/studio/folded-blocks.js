/* Load the fields of a block only when it is opened (`content/folded_blocks.py`). Until then its value is in one
   hidden field, which is sent back unchanged. Scripts that read a block open it first. A block that was only opened
   is sent unchanged, so opening is not a change to save. */
(() => {
    const { StreamBlock } = window.wagtailStreamField?.blocks ?? {};
    if (!StreamBlock) return;
    const MOST_TEXT = 2000;
    /** Events before a field changes; the last one is for scripts. */
    const BEFORE_CHANGES = ["focusin", "pointerdown", "keydown", "beforeinput", "dragenter", "studio:before-change"];

    /** Replaces Wagtail's block, with the same methods. It forwards them after it is opened. */
    class FoldedBlock {
        constructor(def, placeholder, prefix, state, stored, capabilities) {
            Object.assign(this, { def, prefix, state, stored, capabilities, type: def.name, real: null });
            /** The values of its fields before a change; null until known, "" if unknown. */
            this.looked = null;
            this.standIn = document.createElement("div");
            const field = document.createElement("input");
            field.type = "hidden";
            this.name = prefix.replace(/-value$/, "-folded");
            field.name = this.name;
            field.value = stored;
            this.standIn.append(field, textsOf(state).join(" ").slice(0, MOST_TEXT)); // the browser finds words in it
            const child = placeholder.closest("[data-streamfield-child]");
            this.child = child;
            placeholder.replaceWith(this.standIn);
            child.addEventListener("studio:open-block", () => this.open());
            child.querySelector("[data-panel-toggle]").addEventListener("wagtail:panel-toggle", ({ detail }) => {
                if (detail?.expanded) this.open();
            });
        }

        open() {
            if (this.real) return this.real;
            const place = document.createElement("div");
            this.standIn.replaceWith(place);
            this.real = this.def.render(place, this.prefix, this.state, undefined, this.capabilities);
            const form = this.child.closest("form");
            const look = () => {
                if (this.looked === null) this.looked = this.say(fieldsOf(form));
            };
            for (const event of BEFORE_CHANGES) this.child.addEventListener(event, look, { capture: true, once: true });
            opened.add(this);
            form.addEventListener("formdata", sendAsTheyCame);
            return this.real;
        }

        has(name) {
            return name === this.prefix || name.startsWith(`${this.prefix}-`);
        }

        say(entries) {
            return JSON.stringify(entries.filter(([name]) => this.has(name)));
        }

        isAsItCame(entries) {
            return this.looked === null || this.looked === this.say(entries);
        }

        get childBlocks() {
            return this.open().childBlocks;
        }

        get container() {
            return this.real?.container;
        }

        get element() {
            return this.real ? this.real.element : this.standIn;
        }

        getState() {
            return this.real ? this.real.getState() : structuredClone(this.state);
        }

        getDuplicatedState() {
            const block = this.open();
            return block.getDuplicatedState ? block.getDuplicatedState() : block.getState();
        }

        getValue() {
            return this.open().getValue();
        }

        setState(state) {
            this.open().setState(state);
            this.looked = "";
        }

        setError(error) {
            if (!error) return;
            this.open().setError(error);
            this.looked = "";
        }

        focus(options) {
            this.open().focus(options);
        }

        setCapabilityOptions(name, options) {
            if (this.real) this.real.setCapabilityOptions?.(name, options);
            else Object.assign(this.capabilities?.get(name) ?? {}, options);
        }

        getTextLabel(options) {
            if (this.real) return this.real.getTextLabel?.(options) ?? null;
            const text = labelOf(this.def, this.state);
            const most = options?.maxLength;
            return most && text.length > most ? `${text.slice(0, most - 1)}…` : text;
        }
    }

    const opened = new Set();
    let isAsking = false;

    const fieldsOf = (form) => {
        isAsking = true;
        try {
            return [...new FormData(form)];
        } finally {
            isAsking = false;
        }
    };

    /** Send the fields of an opened block only after a change. The others keep their place. */
    const sendAsTheyCame = ({ formData }) => {
        if (isAsking) return;
        const entries = [...formData];
        const same = [...opened].filter((block) => block.child.isConnected && block.looked !== "" && block.isAsItCame(entries));
        if (same.length === 0) return;
        for (const name of new Set(entries.map(([each]) => each))) formData.delete(name);
        const sent = new Set();
        for (const [name, value] of entries) {
            const block = same.find((each) => each.has(name));
            if (!block) formData.append(name, value);
            else if (!sent.has(block)) {
                sent.add(block);
                formData.append(block.name, block.stored);
            }
        }
    };

    /** The visible texts of a state, including rich text. */
    const textsOf = (state) => {
        if (typeof state === "string") return /^\{\s*"blocks"/.test(state) ? richTexts(state) : [state];
        if (Array.isArray(state)) return state.flatMap((each) => textsOf(each?.value ?? each));
        if (state && typeof state === "object") return "id" in state && "title" in state ? [state.title] : Object.values(state).flatMap(textsOf);
        return [];
    };

    const richTexts = (text) => {
        try {
            return JSON.parse(text).blocks.map((each) => each.text);
        } catch {
            return [text];
        }
    };

    const labelOf = (def, state) => {
        const ofField = (name) => textsOf(state?.[name]).find(Boolean) ?? "";
        const { labelFormat, formLayout } = def.meta;
        if (typeof labelFormat === "string") return labelFormat.replace(/\{(\w+)\}/g, (_, name) => ofField(name));
        const names = (formLayout?.opts.children ?? []).map(([name]) => name).filter((name) => typeof name === "string");
        return names.map(ofField).find(Boolean) ?? "";
    };

    /** Open the first block, all blocks of a new page, and blocks with comments. */
    const isOpened = (stream, state, index) =>
        !state.id ||
        (index === 0 && !stream.blockDef.meta.collapsed) || document.getElementById("comments-data")?.textContent.includes(state.id);

    const insert = StreamBlock.prototype.insert;
    StreamBlock.prototype.insert = function (state, index, options) {
        const def = this.blockDef.childBlockDefsByName[state.type];
        if (options || state.stored === undefined || !def || isOpened(this, state, index)) return insert.call(this, state, index, options);
        const folded = Object.create(def, {
            collapsible: { value: false, writable: true },
            render: {
                value: (placeholder, prefix, value, _error, capabilities) => {
                    def.collapsible = false; // its child has a panel already
                    return new FoldedBlock(def, placeholder, prefix, value, state.stored, capabilities);
                },
            },
        });
        return this._insert(folded, state.value, state.id, index, { collapsed: true });
    };
})();
