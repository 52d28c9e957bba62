/* Blocks of a form that nobody has opened yet have no fields: what they hold stands in one hidden field, and goes back as it came
   (`content/folded_blocks.py`). Whatever wants to look into such a block opens it first. One that was only looked at is sent as
   before, so looking is no change that has to be saved. */
(() => {
    const { StreamBlock } = window.wagtailStreamField?.blocks ?? {};
    if (!StreamBlock) return;
    const MOST_TEXT = 2000;
    /** Before somebody changes a field; the last one is for scripts that do. */
    const BEFORE_CHANGES = ["focusin", "pointerdown", "keydown", "beforeinput", "dragenter", "studio:before-change"];

    /** In the place of Wagtail's own block, with the same methods, which it passes on once it is open. */
    class FoldedBlock {
        constructor(def, placeholder, prefix, state, stored, capabilities) {
            Object.assign(this, { def, prefix, state, stored, capabilities, type: def.name, real: null });
            /** What its fields say before somebody changes one; null until then, and "" where nobody can tell. */
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

    /** The fields of an opened block count only once one has changed. The others keep their place, for whoever compares. */
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

    /** Texts that an editor reads in a state, those of rich text too. */
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

    /** The first is what one came for; of a new page all are. One with comments has to be there for them. */
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
