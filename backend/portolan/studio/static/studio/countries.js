/* The choice of pages for a new country: a button selects a page with all pages below it. */
addEventListener("DOMContentLoaded", () => {
    const rows = [...document.querySelectorAll(".studio-country-pages li")];
    const level = (row) => Number(row.dataset.level);
    const below = (row) => {
        const rest = rows.slice(rows.indexOf(row) + 1);
        const end = rest.findIndex((each) => level(each) <= level(row));
        return end < 0 ? rest : rest.slice(0, end);
    };
    for (const row of rows) {
        const section = below(row);
        const button = row.querySelector("[data-country-section]");
        button.hidden = section.length === 0;
        button.addEventListener("click", () => {
            const boxes = [row, ...section].map((each) => each.querySelector("input")).filter((box) => !box.disabled);
            const isOn = boxes.some((box) => !box.checked);
            for (const box of boxes) box.checked = isOn;
        });
    }
});
