// The bar of a preview link: its content, its end, and comments. It is in a shadow root next to the page's body, so
// the page's styles and scripts do not affect it. It is above the page, so it covers nothing.
(() => {
  if (window.top !== window) return; // the studio's frames say by themselves what they show
  const OWN = "/__preview/";
  const MOMENT = {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: "short",
  };
  const make = (name, props = {}, ...children) => {
    const element = Object.assign(document.createElement(name), props);
    element.append(...children);
    return element;
  };
  const host = make("portolan-preview");
  const root = host.attachShadow({ mode: "open" });
  const status = make("p", { role: "status" });
  const open = make("button", { type: "button", className: "open", hidden: true });
  const bar = make("div", { className: "bar" }, status);
  const name = make("input", { name: "name", autocomplete: "name", required: true, maxLength: 80 });
  const about = make("select", { name: "about" });
  const text = make("textarea", { name: "text", required: true, maxLength: 2000 });
  const answer = make("p", { role: "status" });
  const point = make("button", { type: "button", className: "quiet" });
  const send = make("button", { type: "submit" });
  const shut = make("button", { type: "button", className: "quiet", onclick: () => close() });
  const labels = { name: make("span"), about: make("span"), text: make("span") };
  const form = make(
    "form",
    { hidden: true },
    make("label", {}, labels.name, name),
    make("label", {}, labels.about, about),
    point,
    make("label", {}, labels.text, text),
    answer,
    make("div", { className: "buttons" }, send, shut),
  );
  root.append(make("link", { rel: "stylesheet", href: `${OWN}bar.css` }), bar, open, form);
  let known = { blocks: [] };

  // Texts are in the reader's language, from the server; the date is in the browser's time zone.
  function speak({ language, words, said, until }) {
    host.lang = language;
    host.dir = "ltr";
    open.textContent = words.open;
    point.textContent = words.point;
    send.textContent = words.send;
    shut.textContent = words.close;
    for (const key of Object.keys(labels)) labels[key].textContent = words[key];
    form.setAttribute("aria-label", words.form);
    const at = new Date(until).toLocaleString(language === "en" ? "en-GB" : language, MOMENT);
    status.textContent = said.replace("{until}", at);
  }

  const close = () => {
    form.hidden = true;
    open.hidden = false;
    open.focus();
  };
  const words = (element) => (element?.textContent ?? "").replaceAll("\u00ad", "").replace(/\s+/g, " ").trim();

  async function read() {
    const reply = await fetch(`${OWN}about?path=${encodeURIComponent(location.pathname)}`);
    if (!reply.ok) {
      status.textContent = known.words?.over ?? "This preview has ended";
      open.hidden = true;
      return;
    }
    known = await reply.json();
    speak(known);
    open.hidden = !known.mayComment || !form.hidden;
    about.replaceChildren(
      make("option", { value: "", textContent: known.words.page }),
      ...known.blocks.map(({ id, label }) => make("option", { value: id, textContent: label })),
    );
  }

  // Find the clicked block by its ID, or by its heading on a page that replaced another one.
  function choose(event) {
    if (event.composedPath().includes(host)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const section = event.target.closest("section, header, main");
    const heading = words(section?.querySelector("h1, h2, h3"));
    const id = event.target.closest("[data-block]")?.dataset.block;
    const block =
      known.blocks.find((each) => each.id === id) ??
      known.blocks.find(({ title }) => title && words({ textContent: title }) === heading);
    about.value = block?.id ?? "";
    if (!block && heading) text.value = `“${heading}”: ${text.value}`;
    stop();
  }
  function stop(event) {
    if (event && event.key !== "Escape") return;
    document.removeEventListener("click", choose, true);
    document.removeEventListener("keydown", stop, true);
    form.hidden = false;
    text.focus();
  }

  open.onclick = () => {
    form.hidden = false;
    open.hidden = true;
    answer.textContent = "";
    (name.value ? text : name).focus();
  };
  point.onclick = () => {
    form.hidden = true;
    document.addEventListener("click", choose, true);
    document.addEventListener("keydown", stop, true);
  };
  form.onkeydown = (event) => {
    if (event.key === "Escape") close();
  };
  form.onsubmit = async (event) => {
    event.preventDefault();
    const body = JSON.stringify({ name: name.value, text: text.value, path: location.pathname, block: about.value });
    const headers = { "Content-Type": "application/json" };
    try {
      const reply = await fetch(`${OWN}comments`, { method: "POST", headers, body });
      const { said } = await reply.json();
      answer.textContent = said;
      if (reply.ok) text.value = "";
    } catch {
      answer.textContent = known.words.failed;
    }
  };

  document.documentElement.prepend(host);
  window.navigation?.addEventListener("navigatesuccess", read);
  read();
})();
