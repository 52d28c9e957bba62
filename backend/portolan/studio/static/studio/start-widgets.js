/* Starts what a form says in data: choosers, calendars, lists of entries. Wagtail has scripts in the page for that, which its policy
   does not let run. */
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

    const begin = () => {
        startAll();
        // Dialogs and lists bring forms later.
        new MutationObserver(startAll).observe(document.documentElement, { childList: true, subtree: true });
    };
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
    else begin();
})();
