/* The preview beside a page's form, as a place to work in: its blocks lead to their forms, the form shows its block, and a row of
   tools does what the form does. The preview has no script of its own; this one looks after it from the outside. */
(() => {
    const { goTo, openBlock } = window.studioForm;
    const { findField, findPicture } = window.studioBlockFields;
    const { toolsFor } = window.studioBlockTools;
    const WORDS = "studio-on-page-words";

    const begin = () => {
        const form = document.getElementById("page-edit-form");
        const preview = document.querySelector('[data-controller~="w-preview"]');
        const holder = document.getElementById("body-root");
        const words = document.getElementById(WORDS);
        if (!form || !preview || !words) return;
        if (!holder?.rootBlock) {
            form.addEventListener("w-block:ready", begin, { once: true });
            return;
        }
        work(form, preview, holder.rootBlock, JSON.parse(words.textContent));
    };

    const work = (form, preview, stream, words) => {
        let chosen = null;
        const frame = () => preview.querySelector("#w-preview-iframe")?.contentDocument;
        const shownAs = (id) => (id ? frame()?.querySelector(`[data-block="${CSS.escape(id)}"]`) : null);
        const childOf = (id) => stream.children.find((child) => child.id === id);

        /** Marks it in the preview, and brings it into view there. */
        const select = (id, isSeen = false) => {
            chosen = childOf(id) ? id : null;
            mark();
            const block = isSeen ? null : shownAs(chosen);
            if (block) bringIntoView(block);
            bar.show(childOf(chosen), stream);
        };

        const mark = () => {
            for (const each of frame()?.querySelectorAll("[data-block]") ?? []) {
                each.toggleAttribute("data-chosen", each.dataset.block === chosen);
            }
        };

        const tools = toolsFor(stream, words, (text, undo) => bar.say(text, undo), select);
        const bar = buildBar(words, tools, () => chosen, () => open(chosen));
        preview.querySelector(".w-preview__sizes").after(bar.element);

        /** To the field of a block's form that says what was pointed at. */
        const open = (id, place = null) => {
            const child = childOf(id);
            if (!child) return;
            const block = shownAs(id);
            openBlock(child.element);
            const field = place && block && (findField(child.element, block, place)?.input ?? findPicture(child.element, block, place));
            select(id, true); // before the field has the focus, which would scroll the preview below the pointer
            makeRoom(form, preview);
            goTo(field?.closest("[data-contentpath]") ?? child.element);
        };

        /** Every document that the preview shows: a new one after each change. */
        const attach = () => {
            const page = frame();
            if (!page || page.documentElement.dataset.onPage) return;
            page.documentElement.dataset.onPage = "";
            const style = page.createElement("link");
            style.rel = "stylesheet";
            style.href = words.style;
            page.head.append(style);
            for (const block of page.querySelectorAll("[data-block]")) makeReachable(block, childOf(block.dataset.block), words);
            page.addEventListener("click", (event) => {
                const block = event.target.closest("[data-block]");
                if (!block || event.ctrlKey || event.metaKey) return;
                event.preventDefault();
                if (!window.studioInPlace?.isOpen()) open(block.dataset.block, { x: event.clientX, y: event.clientY });
            });
            page.addEventListener("focusin", ({ target }) => {
                if (target.matches("[data-block]")) select(target.dataset.block, true);
            });
            page.addEventListener("keydown", (event) => pressed(event, tools, open));
            mark();
            window.studioPresence?.markIn(page);
        };
        document.addEventListener("studio:presence", () => {
            const page = frame();
            if (page) window.studioPresence.markIn(page);
        });

        preview.addEventListener("w-preview:loaded", attach);
        form.addEventListener("focusin", ({ target }) => {
            const child = stream.children.find(({ element }) => element.contains(target));
            if (child && child.id !== chosen) select(child.id);
        });
        window.studioInPlace?.begin({ preview, frame, childOf, bar, words: words.inPlace });
        attach();
    };

    const makeReachable = (block, child, words) => {
        block.tabIndex = 0;
        if (child) block.setAttribute("aria-label", words.reach.replace("{block}", child.blockDef.meta.label));
        for (const each of block.querySelectorAll("a, button, input, select, textarea, summary, iframe")) each.tabIndex = -1;
    };

    const pressed = (event, tools, open) => {
        const id = event.target.matches?.("[data-block]") ? event.target.dataset.block : null;
        if (!id) return;
        const isCommand = event.ctrlKey || event.metaKey;
        const act = {
            Enter: () => open(id),
            Delete: () => tools.remove(id),
            ArrowUp: event.altKey && (() => tools.move(id, -1)),
            ArrowDown: event.altKey && (() => tools.move(id, 1)),
            c: isCommand && (() => tools.copy(id)),
            v: isCommand && (() => tools.paste(id)),
        }[event.key];
        if (!act) return;
        event.preventDefault();
        act();
    };

    const bringIntoView = (block) => {
        const view = block.ownerDocument.defaultView;
        const { top, bottom } = block.getBoundingClientRect();
        if (top >= 0 && bottom <= view.innerHeight) return;
        const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
        view.scrollBy({ top: top - Math.max(0, (view.innerHeight - (bottom - top)) / 2), behavior: isCalm ? "instant" : "smooth" });
    };

    /** On a small screen the preview lies on the form. */
    const makeRoom = (form, preview) => {
        const side = preview.closest("[data-form-side]");
        const { left, width } = form.getBoundingClientRect();
        if (side && side.getBoundingClientRect().left <= left + width / 4) {
            document.querySelector('[data-side-panel-toggle="preview"]')?.click();
        }
    };

    /** The row of tools, and the line that says what became of a click. */
    const buildBar = (words, tools, chosen, open) => {
        const element = document.createElement("div");
        element.className = "studio-on-page";
        const row = document.createElement("div");
        row.setAttribute("role", "toolbar");
        row.setAttribute("aria-label", words.toolbar);
        row.className = "studio-on-page__tools";
        const ofText = row.cloneNode();
        ofText.setAttribute("aria-label", words.formatting);
        ofText.hidden = true;
        ofText.addEventListener("pointerdown", (event) => event.preventDefault()); // the cursor stays in the text
        const name = document.createElement("span");
        name.className = "studio-on-page__name";
        const said = document.createElement("p");
        said.className = "studio-on-page__said";
        said.setAttribute("role", "status");

        const make = (key, icon, run) => {
            const button = document.createElement("button");
            button.type = "button";
            button.className = "studio-on-page__tool";
            button.dataset.tool = key;
            button.title = words.tools[key];
            button.setAttribute("aria-label", words.tools[key]);
            if (icon.startsWith("+")) button.textContent = icon;
            else button.append(draw(icon));
            button.addEventListener("click", run);
            return button;
        };
        const draw = (icon) => {
            const drawing = document.createElementNS("http://www.w3.org/2000/svg", "svg");
            drawing.setAttribute("class", "icon icon-" + icon);
            drawing.setAttribute("aria-hidden", "true");
            const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
            use.setAttribute("href", "#icon-" + icon);
            drawing.append(use);
            return drawing;
        };
        const ofBlock = [
            make("open", "edit", () => open()),
            make("up", "arrow-up", () => tools.move(chosen(), -1)),
            make("down", "arrow-down", () => tools.move(chosen(), 1)),
            make("before", "+↑", () => tools.add(chosen(), 0)),
            make("after", "+↓", () => tools.add(chosen(), 1)),
            make("duplicate", "copy", () => tools.duplicate(chosen())),
            make("copy", "clipboard-list", () => tools.copy(chosen())),
        ];
        const paste = make("paste", "download", () => tools.paste(chosen()));
        const remove = make("delete", "bin", () => tools.remove(chosen()));
        row.append(name, ...ofBlock, paste, remove);
        element.append(row, ofText, said);

        const show = (child, stream) => {
            const index = child ? stream.children.indexOf(child) : -1;
            name.textContent = child ? `${index + 1}. ${child.blockDef.meta.label}` : words.choose;
            for (const button of [...ofBlock, remove]) button.disabled = !child;
            row.querySelector('[data-tool="up"]').disabled = index <= 0;
            row.querySelector('[data-tool="down"]').disabled = !child || index === stream.children.length - 1;
        };
        const say = (text, undo) => {
            said.textContent = text;
            if (!undo) return;
            const back = document.createElement("button");
            back.type = "button";
            back.className = "button button-small button-secondary";
            back.textContent = words.undo;
            back.addEventListener("click", undo);
            said.append(" ", back);
        };
        /** The tools of a text that is written in its place: what each does; null where none is. */
        const showFormatting = (acts) => {
            ofText.hidden = !acts;
            ofText.replaceChildren(...Object.entries(acts ?? {}).map(([key, act]) => make(key, key, act)));
        };
        show(undefined, { children: [] });
        return { element, show, say, showFormatting };
    };

    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
    else begin();
})();
