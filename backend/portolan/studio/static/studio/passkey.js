/* Request or create a passkey in the browser and send it to the studio. Without support the buttons stay hidden. */
(() => {
    const failed = "The browser did not show a passkey. Try again, or use another way.";

    const post = async (url, token, body) => {
        const reply = await fetch(url, {
            method: "POST",
            headers: { "X-CSRFToken": token, "Content-Type": "application/json", Accept: "application/json" },
            body: JSON.stringify(body),
        });
        const found = await reply.json().catch(() => ({}));
        if (!reply.ok) throw new Error(found.error ?? "The studio did not answer. Load the page again.");
        return found;
    };

    const answer = async (box, question) => {
        if ("makes" in box.dataset) {
            const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(question);
            return navigator.credentials.create({ publicKey });
        }
        const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(question);
        return navigator.credentials.get({ publicKey });
    };

    const run = async (box) => {
        const token = box.querySelector("[name=csrfmiddlewaretoken]").value;
        const button = box.querySelector("button");
        const line = box.querySelector("[role=alert]");
        line.hidden = true;
        button.disabled = true;
        try {
            const question = await post(box.dataset.question, token, {});
            const shown = await answer(box, question).catch(() => {
                throw new Error(failed);
            });
            const { next } = await post(box.dataset.answer, token, shown.toJSON());
            location.assign(next);
        } catch (error) {
            line.textContent = error.message;
            line.hidden = false;
            button.disabled = false;
        }
    };

    if (!window.PublicKeyCredential?.parseRequestOptionsFromJSON) return;
    for (const box of document.querySelectorAll("[data-passkey]")) {
        box.hidden = false;
        box.querySelector("button").addEventListener("click", () => run(box));
    }
    for (const way of document.querySelectorAll("[data-passkey-way]")) way.hidden = false;
})();
