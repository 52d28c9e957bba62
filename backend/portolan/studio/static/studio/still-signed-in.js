/* Check the session before a form is sent and when the editor returns to it. After a new sign-in, the form gets the
   new token. Without one, nothing is sent and a line explains how to sign in. */
(() => {
    const { url, signIn, ended, link, back, other } = document.currentScript.dataset;
    /** A check is valid for this time. */
    const FRESH_MS = 10_000;
    const LONGEST_MS = 3_000;
    let knownAt = performance.now(); // the page itself is one
    let whose = null;
    let notice = null;

    const ask = async () => {
        const signal = AbortSignal.timeout(LONGEST_MS);
        const reply = await fetch(url, { redirect: "manual", cache: "no-store", signal }).catch(() => null);
        if (reply?.type === "opaqueredirect") return "nobody";
        const found = reply?.ok ? await reply.json().catch(() => null) : null; // time may be up in the middle of the answer
        if (!found) return "unknown"; // the studio is away: it says so itself
        const { user, name, token } = found;
        const isOther = whose !== null && whose !== user;
        whose = user;
        knownAt = performance.now();
        give(token);
        if (isOther) say(other.replace("{name}", name));
        return isOther ? "other" : "somebody";
    };

    const give = (token) => {
        for (const field of document.querySelectorAll("input[name=csrfmiddlewaretoken]")) field.value = token;
        const config = document.getElementById("wagtail-config");
        if (config) config.textContent = JSON.stringify({ ...JSON.parse(config.textContent), CSRF_TOKEN: token });
    };

    const say = (text, href = "") => {
        notice ??= Object.assign(document.createElement("p"), { className: "studio-signed-out" });
        notice.setAttribute("role", "alert");
        notice.textContent = `${text} `;
        if (href) notice.append(Object.assign(document.createElement("a"), { href, target: "_blank", rel: "noopener", textContent: link }));
        notice.dataset.signedOut = href ? "yes" : "no";
        document.body.append(notice);
    };

    let asked = null;
    const look = async () => {
        asked ??= ask();
        const found = await asked;
        asked = null;
        if (found === "nobody") {
            knownAt = -Infinity;
            say(ended, signIn);
        }
        if (found === "somebody" && notice?.dataset.signedOut === "yes") say(back);
        return found;
    };

    const isForm = (form) => form.getAttribute("method")?.toLowerCase() === "post" && form.querySelector("input[name=csrfmiddlewaretoken]");
    const hasForm = () => [...document.forms].some(isForm);

    /** The pressed button is disabled, and disabled buttons are not sent. */
    const send = (form, button) => {
        const wasDisabled = button?.disabled;
        if (wasDisabled) button.disabled = false;
        form.requestSubmit(button);
        if (wasDisabled) button.disabled = true;
    };

    const release = (button) => {
        const progress = button && window.wagtail?.app?.getControllerForElementAndIdentifier(button, "w-progress");
        if (progress) progress.loadingValue = false;
    };

    const asking = new WeakSet();
    document.addEventListener(
        "submit",
        async (event) => {
            const form = event.target;
            const button = event.submitter;
            if (!isForm(form) || performance.now() - knownAt < FRESH_MS) return;
            event.preventDefault();
            event.stopImmediatePropagation();
            if (asking.has(form)) return; // pressed twice
            asking.add(form);
            const found = await look();
            asking.delete(form);
            if (found === "nobody" || found === "other") return release(button);
            if (notice) notice.remove();
            if (found === "unknown") knownAt = performance.now();
            send(form, button);
        },
        true,
    );

    /** Automatic saves need it too. */
    document.addEventListener("w-autosave:error", () => look());
    const lookAgain = () => {
        if (document.visibilityState === "visible" && hasForm() && performance.now() - knownAt > FRESH_MS) look();
    };
    document.addEventListener("visibilitychange", lookAgain);
    addEventListener("focus", lookAgain);
    addEventListener("pageshow", ({ persisted }) => persisted && look());
    /** The user of this page; another person may sign in meanwhile. */
    document.addEventListener("input", ({ target }) => target.form && isForm(target.form) && look(), { once: true });
})();
