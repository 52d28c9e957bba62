/* The screen of a change set with many drafts is there before they have been looked at. This asks for what was found, and shows it
   unless somebody is in a form of the screen by then. Without it, a link leads there. */
(() => {
    const isInUse = (screen) => screen.contains(document.activeElement) || screen.querySelector("details[open]") !== null;

    const look = async (line, screen) => {
        const reply = await fetch(line.dataset.unlooked).catch(() => null);
        const page = reply?.ok && !reply.redirected ? new DOMParser().parseFromString(await reply.text(), "text/html") : null;
        const found = page?.querySelector("[data-change-set]");
        if (found && !isInUse(screen)) screen.replaceWith(document.adoptNode(found));
        else line.querySelector("span").textContent = found ? line.dataset.done : line.dataset.failed;
    };

    document.addEventListener("DOMContentLoaded", () => {
        const line = document.querySelector("[data-unlooked]");
        if (line) look(line, line.closest("[data-change-set]"));
    });
})();
