/* The editor of texts writes styles of its placeholders and lists into the page. The page's policy lets in style elements that a script
   has made, by the answer's nonce, and none that came as markup. */
(() => {
    const { nonce } = document.currentScript;
    const create = document.createElement;
    document.createElement = function (name, ...options) {
        const element = create.call(this, name, ...options);
        if (element.localName === "style") element.nonce = nonce;
        return element;
    };
})();
