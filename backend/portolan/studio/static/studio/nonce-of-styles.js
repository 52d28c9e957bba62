/* Add the page's nonce to style elements that scripts create, as the editor of texts does for placeholders and lists.
   The content policy only allows style elements with the nonce. Those that came as markup get none. */
(() => {
    const { nonce } = document.currentScript;
    const create = document.createElement;
    document.createElement = function (name, ...options) {
        const element = create.call(this, name, ...options);
        if (element.localName === "style") element.nonce = nonce;
        return element;
    };
})();
