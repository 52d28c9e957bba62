/* A search field above a long list of countries. Without scripts the list is there in full. */
(() => {
    const fold = (text) => text.trim().normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
    const start = (list) => {
        const search = document.createElement("input");
        search.type = "search";
        search.className = "country-checkboxes-search";
        search.placeholder = "Search countries";
        search.setAttribute("aria-label", "Search countries");
        search.autocomplete = "off";
        const rows = [...list.querySelectorAll("label")].map((label) => ({
            row: label.closest(".country-checkboxes > div"),
            name: fold(label.textContent),
        }));
        search.addEventListener("input", () => {
            const wanted = fold(search.value);
            for (const { row, name } of rows) row.hidden = !name.includes(wanted);
        });
        search.addEventListener("keydown", (event) => {
            if (event.key !== "Enter") return;
            event.preventDefault(); // it would send the form
            const found = rows.filter(({ row }) => !row.hidden);
            if (found.length === 1) found[0].row.querySelector("input").click();
        });
        list.before(search);
    };

    document.addEventListener("DOMContentLoaded", () => {
        for (const list of document.querySelectorAll("div.country-checkboxes")) start(list);
    });
})();
