/* List the problems of a form next to the publish button, with links to the fields. */
(() => {
    const { contentOf, find, goToPath } = window.studioForm;
    const WAIT_MS = 300;
    /** Pixels between the list and its neighbours. */
    const EDGE = 16;
    /** Latest time of the first check, if the browser is busy. */
    const LATEST_MS = 1000;
    const { help, helpText, warning } = document.currentScript.dataset;

    /** Forms of pages and of other content with drafts. */
    const FORMS = '#page-edit-form, #w-editor-form[data-controller~="w-autosave"]';

    const begin = () => {
        const form = document.querySelector(FORMS);
        const footer = form?.querySelector("footer .footer__container");
        if (!footer) return;
        // Check before the automatic save: Wagtail removes the mark then, and a slow first reply comes later.
        const shown = build(footer, form.dataset.wUnsavedForceValue === "true");

        let asked = "";
        let request = new AbortController();
        let timer = 0;
        let isTouched = false;

        const ask = async () => {
            const body = contentOf(form);
            const text = body.toString();
            if (text === asked) return;
            asked = text;
            body.set("csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value);
            request.abort();
            request = new AbortController();
            // After its first automatic save, the form belongs to the new page.
            const reply = await fetch(new URL("check/", form.action), {
                method: "POST",
                body,
                signal: request.signal,
            }).catch(() => null);
            if (!reply?.ok || reply.redirected) {
                if (asked === text) asked = ""; // the next change asks again
                return;
            }
            const found = await reply.json().catch(() => null);
            // For an empty new form, show only the number of problems.
            const isBegun = isTouched || !new URL(form.action).pathname.includes("/add/");
            if (found && asked === text) shown.update(form, found, isBegun);
        };

        const touch = () => {
            isTouched = true;
        };
        for (const event of ["input", "change"]) form.addEventListener(event, touch, { once: true });
        const askSoon = () => {
            clearTimeout(timer);
            timer = setTimeout(ask, WAIT_MS);
        };
        for (const event of ["input", "change", "keyup"]) form.addEventListener(event, askSoon);
        // Blocks are added, removed and moved, and choosers set values.
        new MutationObserver(askSoon).observe(form, { childList: true, subtree: true, attributeFilter: ["value"] });
        // Check after the form is ready, because reading all of it is slow.
        if (window.requestIdleCallback) requestIdleCallback(ask, { timeout: LATEST_MS });
        else askSoon();
    };

    /** The button, the list, and the line for screen readers. */
    const build = (footer, isRefused) => {
        const place = document.createElement("div");
        place.className = "studio-to-fix";
        place.dataset.toFix = "";
        const button = document.createElement("button");
        button.type = "button";
        button.className = "studio-to-fix__button";
        button.setAttribute("aria-expanded", "false");
        button.setAttribute("aria-controls", "studio-to-fix-list");
        button.hidden = true;
        const list = document.createElement("ul");
        list.id = "studio-to-fix-list";
        list.className = "studio-to-fix__list";
        list.hidden = true;
        const said = document.createElement("p");
        said.className = "studio-to-fix__said";
        said.setAttribute("role", "status");
        place.append(list, button, said);
        footer.append(place);

        const open = (isOpen) => {
            list.hidden = !isOpen;
            button.setAttribute("aria-expanded", String(isOpen));
            if (isOpen) fit(list);
        };
        addEventListener("resize", () => list.hidden || fit(list));
        button.addEventListener("click", () => open(list.hidden));
        place.addEventListener("keydown", (event) => {
            if (event.key !== "Escape" || list.hidden) return;
            open(false);
            button.focus();
        });

        /** If publishing was just refused, open the list at once. */
        let isFirst = true;
        const update = (form, { count, text, problems }, isBegun) => {
            const wasRefused = isFirst && isRefused;
            isFirst = false;
            place.dataset.toFix = String(count);
            button.hidden = problems.length === 0;
            button.textContent = text;
            said.textContent = text;
            said.classList.toggle("w-sr-only", problems.length > 0);
            list.replaceChildren(...problems.map((each) => rowOf(form, each, () => open(false))), howRow());
            mark(form, isBegun || wasRefused ? problems : []);
            if (problems.length === 0) open(false);
            else if (wasRefused && count > 0 && isInView(button)) open(true);
        };
        return { update };
    };

    /** Keep the list between the menu and the edge of the screen. On narrow screens the style does this. */
    const fit = (list) => {
        list.style.inlineSize = list.style.translate = "";
        if (getComputedStyle(list).position === "fixed") return;
        const main = (list.closest("main") ?? document.body).getBoundingClientRect();
        const [least, most] = [Math.max(main.left, 0) + EDGE, Math.min(main.right, document.documentElement.clientWidth) - EDGE];
        list.style.inlineSize = `${Math.min(list.offsetWidth, most - least)}px`;
        const { left, right } = list.getBoundingClientRect();
        list.style.translate = `${Math.max(least - left, Math.min(0, most - right))}px`;
    };

    const isInView = (element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
    };

    const howRow = () => {
        const row = document.createElement("li");
        const link = document.createElement("a");
        row.className = "studio-to-fix__how";
        link.href = help;
        link.target = "_blank";
        link.textContent = helpText;
        row.append(link);
        return row;
    };

    const rowOf = (form, { text, path, url, isWarning }, close) => {
        const row = document.createElement("li");
        row.classList.toggle("studio-to-fix__warning", isWarning);
        const link = document.createElement(url || path.length ? "a" : "span");
        link.textContent = isWarning ? `${warning}: ${text}` : text;
        if (url) {
            link.href = url;
        } else if (path.length) {
            link.href = `#${path[0]}`;
            link.addEventListener("click", (event) => {
                event.preventDefault();
                close();
                goToPath(form, path);
            });
        }
        row.append(link);
        return row;
    };

    /** Show the problems at their fields too, except empty required fields and errors that Wagtail shows. */
    const mark = (form, problems) => {
        for (const old of form.querySelectorAll(".studio-field-problems")) old.remove();
        const byPlace = new Map();
        for (const each of problems) {
            const at = each.path.length > 0 && !each.url && !each.isBlank ? find(form, each.path) : null;
            if (at && !at.querySelector(".error-message")) byPlace.set(at, [...(byPlace.get(at) ?? []), each]);
        }
        for (const [at, found] of byPlace) {
            const problemList = document.createElement("ul");
            problemList.className = "studio-field-problems";
            for (const { text, isWarning } of found) {
                const row = document.createElement("li");
                row.textContent = text;
                row.classList.toggle("studio-field-problems__warning", isWarning);
                problemList.append(row);
            }
            (at.querySelector(":scope > [data-panel] > .w-panel__content") ?? at).prepend(problemList);
        }
    };

    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
    else begin();
})();
