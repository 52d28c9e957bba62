/* Publish without leaving the form. The form is sent like an automatic save, and the reply is applied as Wagtail does
   for drafts. If publishing is refused, the browser sends the form again, so that it shows the problems. If the studio
   has no database or must be restarted, the form stays and shows the reason. */
(() => {
    const { contentOf, controllerOf, endAutosave, release, send } = window.studioForm;
    const { failed, away, close } = document.currentScript.dataset;
    const NAME = "action-publish";
    const publishing = new WeakSet();
    /** Forms with a second press of *Publish* before the reply. */
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
            // New pages and refused forms are loaded again.
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

    /** The text of the error page of a studio without its database. */
    const readReason = (text) => {
        const words = document.createElement("span");
        const page = new DOMParser().parseFromString(text, "text/html");
        words.textContent = [...page.querySelectorAll("h1, h1 ~ p")].map((each) => each.textContent.trim()).join(" ");
        return words.innerHTML;
    };

    const session = (name) => controllerOf(document.querySelector("form.w-editing-sessions"), name);
    /** Stop Wagtail's ping during a save. Its reply would report the new version as another window's, and the next
        press would open a question. Wagtail pauses the ping itself, but still reads the reply to a running one. */
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

    /** Above the buttons, next to the one that was pressed. */
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

    /** Listed in Wagtail's dialog of shortcuts, and switched off with them in the account. */
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
