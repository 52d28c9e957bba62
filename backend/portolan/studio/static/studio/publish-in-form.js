/* *Publish* keeps the editor in the form. The form is sent as a draft that saves itself is, and what comes back is put into place as
   Wagtail does it for drafts. What is refused is sent again by the browser, so that it comes back with what there is to fix. If the
   studio has no database or must be restarted, the form stays as it is, with the reason. */
(() => {
    const { contentOf, controllerOf, endAutosave, release, send } = window.studioForm;
    const { failed, away, close } = document.currentScript.dataset;
    const NAME = "action-publish";
    const publishing = new WeakSet();
    /** Forms in which *Publish* was pressed again before the answer had come. */
    const pressedAgain = new WeakSet();
    /** Forms that the browser sends. */
    const asEver = new WeakSet();

    document.addEventListener(
        "submit",
        (event) => {
            const form = event.target;
            const button = event.submitter;
            if (button?.name !== NAME || !form.matches("[data-edit-form]") || asEver.delete(form)) return;
            if (publishing.has(form)) {
                event.preventDefault();
                event.stopImmediatePropagation();
                pressedAgain.add(form);
                return;
            }
            // A page that is not there yet, and a form that came back refused, are shown anew.
            const isShownAnew = new URL(form.action).pathname.includes("/add/") || form.dataset.wUnsavedForceValue === "true";
            if (isShownAnew || !controllerOf(form, "w-autosave")?.activeValue) return;
            event.preventDefault();
            event.stopImmediatePropagation();
            publish(form, button);
        },
        true,
    );

    const publish = async (form, button) => {
        publishing.add(form);
        pressedAgain.delete(form);
        await endAutosave(form);
        stopPing();
        session("w-session")?.pause();
        const body = new FormData(form);
        const sent = contentOf(form).toString();
        body.set(NAME, NAME);
        const { CSRF_TOKEN: token, CSRF_HEADER_NAME: name } = JSON.parse(document.getElementById("wagtail-config").textContent);
        const headers = { Accept: "application/json", [name]: token };
        const reply = await fetch(form.action, { method: "POST", body, headers }).catch(() => null);
        const text = (await reply?.text().catch(() => "")) ?? "";
        const answer = readJson(text);
        publishing.delete(form);
        session("w-session")?.resume();
        const autosave = controllerOf(form, "w-autosave");
        autosave.activeValue = true;
        if (answer?.success) {
            const isTypedSince = contentOf(form).toString() !== sent;
            take(form, answer, autosave);
            release(button);
            if (!isTypedSince) return;
            if (pressedAgain.has(form)) send(form, button);
            else autosave.save(new CustomEvent("studio:typed-while-publishing"));
        } else if (reply && reply.status < 500) {
            asEver.add(form);
            send(form, button);
        } else {
            release(button);
            show(form, [{ level: "error", html: reply ? readReason(text) || failed : away }]);
        }
    };

    const readJson = (text) => {
        try {
            return JSON.parse(text);
        } catch {
            return null;
        }
    };

    /** The words of the page that a studio without its database answers with. */
    const readReason = (text) => {
        const words = document.createElement("span");
        const page = new DOMParser().parseFromString(text, "text/html");
        words.textContent = [...page.querySelectorAll("h1, h1 ~ p")].map((each) => each.textContent.trim()).join(" ");
        return words.innerHTML;
    };

    const session = (name) => controllerOf(document.querySelector("form.w-editing-sessions"), name);
    /** An answer to Wagtail's ping that overlaps a save takes the new version for another window's. The next press would open a
        question about it and publish nothing. Wagtail pauses the ping while a draft saves itself, but hears one that is under way. */
    const stopPing = () => session("w-swap")?.abortController?.abort();
    document.addEventListener("w-autosave:save", stopPing);

    const take = (form, answer, autosave) => {
        const updates = {
            ...answer.field_updates,
            loaded_revision_id: answer.revision_id,
            loaded_revision_created_at: answer.revision_created_at,
        };
        for (const [name, value] of Object.entries(updates)) {
            const field = form.elements.namedItem(name);
            if (field) field.value = value;
        }
        autosave.revisionIdValue = 0; // the next draft is a new one
        if (autosave.hasPartialsTarget && answer.html) autosave.partialsTarget.innerHTML = answer.html;
        const detail = { response: answer, data: answer, trigger: null };
        form.dispatchEvent(new CustomEvent("w-autosave:success", { bubbles: true, detail }));
        if (answer.reload) requestAnimationFrame(() => location.assign(form.action));
        else show(form, answer.messages);
    };

    /** Above the buttons, where the editor has just pressed one. */
    const show = (form, messages) => {
        document.dispatchEvent(new CustomEvent("w-messages:clear"));
        const footer = form.querySelector("footer.footer");
        const box = footer.querySelector(".studio-published-box") ?? build(footer);
        box.querySelector("ul").replaceChildren(
            ...messages.map(({ level, html }) => {
                const row = document.createElement("li");
                row.className = level;
                row.innerHTML = html;
                return row;
            }),
        );
        box.hidden = false;
        document.dispatchEvent(new CustomEvent("studio:published"));
    };

    /** Listed in Wagtail's dialog of shortcuts, and switched off with the others in the account. */
    const KEYS = "mod+alt+p";
    const bindKeys = () => {
        for (const button of document.querySelectorAll(`form[data-edit-form] footer [name="${NAME}"]`)) {
            Object.assign(button.dataset, { wKbdKeyValue: KEYS, wKbdScopeValue: "global" });
            button.dataset.controller = `${button.dataset.controller ?? ""} w-kbd`;
            button.setAttribute("aria-keyshortcuts", "Control+Alt+P Meta+Alt+P");
        }
    };
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", bindKeys);
    else bindKeys();

    const build = (footer) => {
        const box = document.createElement("div");
        box.className = "studio-published-box";
        box.setAttribute("role", "status");
        const button = document.createElement("button");
        button.type = "button";
        button.setAttribute("aria-label", close);
        button.textContent = "×";
        button.addEventListener("click", () => {
            box.hidden = true;
            footer.querySelector(`[name="${NAME}"]`)?.focus();
        });
        box.append(document.createElement("ul"), button);
        footer.append(box);
        return box;
    };
})();
