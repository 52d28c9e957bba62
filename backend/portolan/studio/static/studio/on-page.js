/* Connect the preview with the page's form: select blocks in either, and use the tools of the selected block. The
   preview runs no scripts, so this one works from outside. */
(() => {
    const { goTo, openBlock } = window.studioForm;
    const { findField, findPicture } = window.studioBlockFields;
    const { toolsFor } = window.studioBlockTools;
    const WORDS = "studio-on-page-words";
    /** Longest time between the taps of a double tap. */
    const TWICE_MS = 300;

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

        /** Mark the block in the preview and scroll to it. */
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
                const state = childOf(each.dataset.block)?.element.dataset.inheritance;
                if (state) each.dataset.inheritance = state;
            }
        };

        const small = onSmallScreens({ form, preview, frame, shownAs, words, chosen: () => chosen });
        const tools = toolsFor(stream, words, (text, undo) => bar.say(text, undo), select, small);
        const bar = buildBar(words, tools, () => chosen, () => open(chosen));
        preview.querySelector(".w-preview__sizes").after(bar.element);

        /** Go to the field of the text under the pointer. */
        const open = (id, place = null) => {
            const child = childOf(id);
            if (!child) return;
            const block = shownAs(id);
            openBlock(child.element);
            const field = place && block && (findField(child.element, block, place)?.input ?? findPicture(child.element, block, place));
            select(id, true); // before the field has the focus, which would scroll the preview below the pointer
            small.makeRoom();
            goTo(field?.closest("[data-contentpath]") ?? child.element);
        };

        /** Set up each new document of the preview; each change loads one. */
        const attach = () => {
            const page = frame();
            if (!page || page.documentElement.dataset.onPage) return;
            page.documentElement.dataset.onPage = "";
            const style = page.createElement("link");
            style.rel = "stylesheet";
            style.href = words.style;
            page.head.append(style);
            for (const block of page.querySelectorAll("[data-block]")) makeReachable(block, childOf(block.dataset.block), words);
            let wasWriting = false;
            let tapped = null;
            page.addEventListener(
                "pointerdown",
                () => {
                    wasWriting = Boolean(window.studioInPlace?.isOpen());
                },
                true,
            );
            page.addEventListener("click", (event) => {
                const block = event.target.closest("[data-block]");
                if (!block || event.ctrlKey || event.metaKey) return;
                event.preventDefault();
                clearTimeout(tapped);
                if (window.studioInPlace?.isOpen()) return;
                const openIt = () => open(block.dataset.block, { x: event.clientX, y: event.clientY });
                if (!small.isCovering()) return openIt();
                // Opening the form would break a double tap. A tap outside an edited text only ends editing.
                if (event.detail > 1 || wasWriting) return;
                tapped = setTimeout(openIt, TWICE_MS);
            });
            small.attach(page);
            page.addEventListener("focusin", ({ target }) => {
                if (target.matches("[data-block]")) select(target.dataset.block, true);
            });
            page.addEventListener("keydown", (event) => pressed(event, tools, open));
            mark();
            window.studioPresence?.markIn(page);
        };
        document.addEventListener("studio:inheritance", () => {
            mark();
            bar.show(childOf(chosen), stream);
        });
        document.addEventListener("studio:presence", () => {
            const page = frame();
            if (page) window.studioPresence.markIn(page);
        });

        preview.addEventListener("w-preview:loaded", attach);
        form.addEventListener("focusin", ({ target }) => {
            const child = stream.children.find(({ element }) => element.contains(target));
            if (child && child.id !== chosen) select(child.id);
        });
        window.studioInPlace?.begin({ preview, frame, childOf, bar, small, words: words.inPlace });
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

    /** If the preview covers the form, hide it for a field, and offer a way back. */
    const onSmallScreens = ({ form, preview, frame, shownAs, words, chosen }) => {
        const panel = preview.closest("[data-side-panel]");
        const toggle = document.querySelector('[data-side-panel-toggle="preview"]');
        /** The block at the top of the preview, its offset, and the selected block. */
        let seen = null;
        let isComingBack = false;

        const box = document.createElement("div");
        box.className = "studio-way-back";
        box.hidden = true;
        const said = document.createElement("p");
        said.setAttribute("role", "status");
        const back = document.createElement("button");
        back.type = "button";
        back.className = "button button-small";
        back.textContent = words.backToPreview;
        back.addEventListener("click", () => {
            panel.dispatchEvent(new Event("open"));
            shownAs(chosen())?.focus({ preventScroll: true });
        });
        box.append(said, back);
        form.before(box);

        /** The panel stays visible while it moves away and gets narrower. */
        const isOpen = () => toggle?.getAttribute("aria-expanded") === "true";

        const isCovering = () => {
            if (!isOpen()) return false;
            const { left, width } = form.getBoundingClientRect();
            return panel.closest("[data-form-side]").getBoundingClientRect().left <= left + width / 4;
        };

        const remember = () => {
            const height = frame()?.defaultView?.innerHeight;
            if (!height || !isOpen() || isComingBack) return;
            const blocks = [...frame().querySelectorAll("[data-block]")];
            const top = blocks.find((block) => block.getBoundingClientRect().bottom > 0);
            if (top) seen = { id: top.dataset.block, at: top.getBoundingClientRect().top, chosen: chosen() };
        };

        /** A frame that was hidden has no height at first and cannot scroll. */
        const comeBack = (frames = 60) => {
            const block = isComingBack && shownAs(seen?.id);
            if (!block) return;
            const away = () => block.getBoundingClientRect().top - seen.at;
            frame().defaultView.scrollBy({ top: away(), behavior: "instant" });
            if (Math.abs(away()) > 1 && frames > 0) {
                requestAnimationFrame(() => comeBack(frames - 1));
                return;
            }
            const own = chosen() === seen.chosen ? null : shownAs(chosen()); // somebody has gone on in the form
            if (own) bringIntoView(own);
        };

        /** `why`: the message that the preview would have shown. */
        const makeRoom = (why = "") => {
            if (!isCovering()) return;
            remember();
            if (seen) seen.chosen = chosen();
            toggle.click();
            box.style.insetBlockStart = `${document.querySelector("main .w-slim-header, main header")?.getBoundingClientRect().bottom ?? 0}px`;
            said.textContent = why;
            box.hidden = false;
        };

        panel?.addEventListener("show", () => {
            box.hidden = true;
            isComingBack = seen !== null;
            requestAnimationFrame(() => comeBack());
        });
        /** Each document of the preview. Any action in it removes the way back. */
        const attach = (page) => {
            for (const name of ["pointerdown", "wheel", "keydown"]) {
                page.addEventListener(name, () => (isComingBack = false), { capture: true, passive: true });
            }
            page.addEventListener("scroll", remember, { passive: true });
            requestAnimationFrame(() => comeBack());
        };
        return { isCovering, makeRoom, attach };
    };

    /** The toolbar and the line for messages. */
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
        const inheritance = document.createElement("span");
        row.append(name, ...ofBlock, paste, remove, inheritance);
        element.append(row, ofText, said);

        const show = (child, stream) => {
            const index = child ? stream.children.indexOf(child) : -1;
            name.textContent = child ? `${index + 1}. ${child.blockDef.meta.label}` : words.choose;
            for (const button of [...ofBlock, remove]) button.disabled = !child;
            row.querySelector('[data-tool="up"]').disabled = index <= 0;
            row.querySelector('[data-tool="down"]').disabled = !child || index === stream.children.length - 1;
            showSwitch(child?.element.querySelector(".studio-follows"));
        };
        /** Show a copy of the form's switch between an own text and following the original. */
        const showSwitch = (original) => {
            const copy = original?.cloneNode(true);
            const buttons = original?.querySelectorAll("button") ?? [];
            copy?.querySelectorAll("button").forEach((button, at) => button.addEventListener("click", () => buttons[at].click()));
            inheritance.replaceChildren(...(copy ? [copy] : []));
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
        /** The tools of the edited text, by name; null if none is edited. */
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
