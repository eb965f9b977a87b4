// In which language the page is: English, or one that its own texts are translated to; and links to the report.
const language = (() => {
  "use strict";
  // Chinese by its codes, or the press would put a font for these four characters into each page.
  const NAMES = { en: "English", "zh-Hans": "\u4e2d\u6587", fr: "Français" };
  const known = JSON.parse(document.getElementById("texts").textContent);
  const TAGS = Object.keys(NAMES).filter((tag) => tag === "en" || known[tag]);
  const texts = Object.fromEntries(TAGS.map((tag) => [tag, new Map((known[tag] ?? []).map((text, k) => [known.en[k], text]))]));
  const listeners = [];
  let tag = "en";

  // The text in the chosen language, the English one where there is none, with values for its {names}.
  const say = (english, values = {}) => (texts[tag].get(english) || english)
    .replace(/\{(\w+)\}/g, (mark, name) => Object.hasOwn(values, name) ? values[name] : mark);

  // A number as the language writes it; in French 1,234.5% becomes 1 234,5 %.
  const number = (text) => tag === "fr"
    ? String(text).replace(/[.,]/g, (mark) => mark === "." ? "," : "\u202f").replace(/%/g, "\u00a0%") : String(text);

  // Numbers as people write them: digits of any width, thousands apart in groups of three, a decimal comma or point.
  const LONE = /^[+-]?[1-9]\d{0,2}([.,])\d{3}$/;
  const GROUPED = /^[+-]?[1-9]\d{0,2}((?:[ '’]\d{3})+(?=[.,]|$)|(?:,\d{3})+(?=\.|$)|(?:\.\d{3})+(?=,|$))/;
  const narrow = (text) => plain(String(text).normalize("NFKC")).replace("−", "-");

  // Whether a mark may be a decimal one or one for thousands, where a whole number is meant.
  const isUnsure = (text) => {
    const mark = LONE.exec(narrow(text))?.[1];
    return mark === "." || (mark === "," && tag === "fr");
  };

  // What `number` has written, and the like; NaN for what is none, or could be another.
  const value = (text) => {
    const given = narrow(text);
    const mark = LONE.exec(given)?.[1];
    if (mark === "." && tag === "fr") return NaN;
    const apart = mark === "." || (mark && tag === "fr") ? given : given.replace(GROUPED, (found) => found.replace(/[ '’.,]/g, ""));
    const pointed = apart.replace(/,(?=\d)/, ".");
    return /^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(pointed) ? Number(pointed) : NaN;
  };

  // Sentences one after the other; those of Chinese need no blank between them.
  const join = (sentences) => sentences.filter((text) => text).join(tag === "zh-Hans" ? "" : " ");

  // What the template says, once read: how to write each text, and the English one.
  const plain = (text) => text.replace(/\s+/g, " ").trim();
  const fixed = [...document.querySelectorAll("[data-say]")]
    .map((element) => [(text) => { element.innerHTML = text; }, plain(element.innerHTML)]);
  for (const [mark, attribute] of [["label", "aria-label"], ["placeholder", "placeholder"]]) {
    fixed.push(...[...document.querySelectorAll(`[data-say-${mark}]`)]
      .map((element) => [(text) => element.setAttribute(attribute, text), plain(element.getAttribute(attribute))]));
  }

  // A link to a chapter leaves the frame that a page is shown in. Shut in the report, the page asks the report for it;
  // in a notebook there is none, and the words stay.
  const framed = location.protocol === "about:";
  const chapters = () => document.querySelectorAll('a[href^="report.html#"]').forEach((link) => {
    link.target = "_top";
    if (framed && !/\.html?$/.test(new URL(document.baseURI).pathname)) link.replaceWith(...link.childNodes);
  });
  if (framed) document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="report.html#"]');
    if (!link) return;
    event.preventDefault();
    parent.postMessage({ chapter: link.getAttribute("href").split("#")[1] }, "*");
  });

  const show = () => {
    document.documentElement.lang = tag;
    for (const [write, english] of fixed) write(say(english));
    chapters();
    for (const button of document.querySelectorAll(".languages button")) button.setAttribute("aria-pressed", String(button.lang === tag));
    for (const listener of listeners) listener();
  };

  const asked = new URLSearchParams(location.search).get("lang");
  const like = (name) => TAGS.find((one) => name && one.slice(0, 2) === name.slice(0, 2).toLowerCase());

  // A number that was typed stays that number.
  const choose = (chosen) => {
    const fields = [...document.querySelectorAll("[inputmode=numeric], [inputmode=decimal], [data-number]")];
    const before = fields.map((field) => value(field.value));
    tag = chosen;
    fields.forEach((field, k) => {
      if (!Number.isNaN(before[k]) && value(field.value) !== before[k]) field.value = number(String(before[k]));
    });
    show();
    try {
      if (asked) {
        const address = new URL(location.href);
        address.searchParams.set("lang", tag);
        history.replaceState(null, "", address);
      }
      localStorage.setItem("gamebalance-language", tag);
    } catch {
      // A page within a page may have no address and no memory of its own.
    }
  };

  const remembered = () => {
    try {
      return localStorage.getItem("gamebalance-language");
    } catch {
      return null;
    }
  };

  if (TAGS.length > 1) {
    const label = TAGS.map((one) => ({ en: "Language", "zh-Hans": "\u8bed\u8a00", fr: "Langue" })[one]).join(", ");
    document.querySelector("header").prepend(elements.make("nav", { className: "languages", translate: false, "aria-label": label },
      ...TAGS.map((one) => elements.make("button", { type: "button", lang: one, onclick: () => choose(one) }, NAMES[one]))));
  }
  tag = like(asked) ?? like(remembered()) ?? "en";
  show();

  // In one line, what cannot be taken: of which field or file, and where in it. `elements.tried` hears of it.
  const refuse = (message, field = "file", place = -1, cells = []) => {
    throw Object.assign(new Error(message), { field, place, cells });
  };

  // What people have typed, on one line; and so that it does not fill the page.
  const clean = (text) => plain(String(text));
  const short = (text) => (text.length > 60 ? `${text.slice(0, 59)}…` : text);

  // A text for later: what stands in a table of texts is translated by `say` when it is shown.
  return { say, number, value, isUnsure, join, refuse, clean, short, later: (english) => english, onChange: (listener) => listeners.push(listener), get tag() { return tag; } };
})();
