/* Load the result of the check on the screen of a large change set. The screen opens before the check is finished. If
   the editor is using a form by then, the result is not shown. Without this script, a link shows it. */
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
