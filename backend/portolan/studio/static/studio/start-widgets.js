/* Start the widgets that a form describes as data: choosers, calendars, lists of entries. Wagtail uses inline
   scripts, which the content policy blocks. Load this script before Wagtail's: its dropdowns move their buttons out
   of the page, and a chooser finds "Change" and "Clear" only before that. Listeners and observers run in the order in
   which they were added. */
(() => {
    const find = (name) => name.split(".").reduce((place, part) => place?.[part], window);

    const start = (element) => {
        element.removeAttribute("data-studio-start");
        const { start: name, with: texts } = JSON.parse(element.textContent);
        const widget = find(name);
        if (!widget) throw new Error(`${name} is to be started, and nothing has defined it.`);
        const values = texts.map((text) => JSON.parse(text));
        if (/^init/.test(name)) widget(...values);
        else new widget(...values);
    };

    const startAll = () => document.querySelectorAll("script[data-studio-start]").forEach(start);

    const observer = new MutationObserver(startAll);
    document.addEventListener("DOMContentLoaded", () => {
        startAll();
        // Dialogs and lists add forms later.
        observer.observe(document.documentElement, { childList: true, subtree: true });
    });
})();
