/* The form of interface words: open a word, return to its default, search and filter. */
(() => {
    const begin = (root) => {
        const rows = [...root.querySelectorAll("[data-word]")];
        for (const row of rows) connect(row);
        filter(root, rows);
        root.dataset.ready = "";
    };

    const connect = (row) => {
        const fields = [...row.querySelectorAll("textarea")];
        const shown = row.querySelector("[data-shown]");
        const own = row.querySelector("[data-own]");
        const first = row.dataset.inheritance;

        const show = () => {
            const typed = fields.map(({ value }) => value.trim()).filter(Boolean);
            const isOwn = fields.some(({ value, dataset }) => value.trim() !== "" && value.trim() !== dataset.default);
            row.dataset.inheritance = isOwn ? (first === "changed" ? "changed" : "own") : "follows";
            shown.textContent = typed.join(" · ") || shown.dataset.default;
        };
        const open = () => {
            row.dataset.open = "";
            own?.setAttribute("aria-expanded", "true");
        };

        for (const field of fields) field.addEventListener("input", show);
        own?.addEventListener("click", () => {
            open();
            for (const field of fields) field.value ||= field.dataset.default;
            fields[0].focus();
        });
        row.querySelector("[data-follow]")?.addEventListener("click", () => {
            for (const field of fields) field.value = "";
            // Wagtail compares the form with its first state.
            fields[0].dispatchEvent(new Event("change", { bubbles: true }));
            show();
            delete row.dataset.open;
            own?.setAttribute("aria-expanded", "false");
            own?.focus();
        });
        if ("refused" in row.dataset || first === "changed") open();
    };

    const filter = (root, rows) => {
        const bar = root.querySelector("[data-words-filters]");
        const [search, state, place] = ["search", "state", "place"].map((name) => bar.querySelector(`[data-words-${name}]`));
        const count = bar.querySelector("[data-words-count]");
        const texts = new Map(rows.map((row) => [row, `${row.dataset.word} ${row.textContent}`.toLowerCase()]));

        const apply = () => {
            const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
            const matches = (row) =>
                words.every((word) => texts.get(row).includes(word)) &&
                (!state.value || row.dataset.inheritance === state.value) &&
                (!place.value || row.dataset.places.split(" ").includes(place.value));
            for (const row of rows) row.hidden = !matches(row);
            const shown = rows.filter(({ hidden }) => !hidden).length;
            count.textContent = count.dataset.wordsCount.replace("{shown}", shown).replace("{total}", rows.length);
        };
        bar.hidden = false;
        for (const control of [search, state, place]) {
            control.addEventListener("input", apply);
            // Enter would send the form.
            control.addEventListener("keydown", (event) => event.key === "Enter" && event.preventDefault());
        }
        apply();
    };

    const start = () => document.querySelectorAll("[data-words]").forEach(begin);
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
    else start();
})();
