// Small comforts; the page reads well without them.
(() => {
  const narrow = matchMedia("(max-width: 71.99rem)");
  const contents = document.querySelector(".toc details");
  const fold = () => { contents.open = !narrow.matches; };
  fold();
  narrow.addEventListener("change", fold);
  contents.addEventListener("click", (event) => {
    if (narrow.matches && event.target.closest("a")) contents.open = false;
  });

  const button = document.getElementById("toggle-code");
  button.hidden = false;
  button.addEventListener("click", () => {
    const all = [...document.querySelectorAll("details.code")];
    const open = !all.every((cell) => cell.open);
    all.forEach((cell) => { cell.open = open; });
    button.querySelector(".to-show").hidden = open;
    button.querySelector(".to-hide").hidden = !open;
  });

  // The contents follow the reader.
  let links, places, chapters, current = null;
  const listed = () => {
    const list = document.querySelector(".toc ol.top:not([hidden])");
    links = new Map([...list.querySelectorAll("a")].map((link) => [link.hash.slice(1), link]));
    places = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean);
    chapters = list.querySelectorAll(".part > ol > li");
    current?.removeAttribute("aria-current");
    current = null;
  };
  listed();
  document.querySelector(".toc").classList.add("follows");

  // Contents, first page, findings, glossary and sources in the language that is chosen.
  const choices = [...document.querySelectorAll(".switch button")];
  const speak = (tag) => {
    document.querySelectorAll("[data-language]").forEach((part) => { part.hidden = part.lang !== tag; });
    choices.forEach((choice) => choice.setAttribute("aria-pressed", choice.value === tag));
    listed();
    follow();
  };
  document.querySelectorAll(".switch").forEach((group) => { group.hidden = false; });
  choices.forEach((choice) => choice.addEventListener("click", () => speak(choice.value)));

  const follow = () => {
    const above = places.filter((place) => place.getBoundingClientRect().top < innerHeight / 3);
    const link = above.length ? links.get(above[above.length - 1].id) : null;
    if (link === current) return;
    current?.removeAttribute("aria-current");
    link?.setAttribute("aria-current", "location");
    current = link;
    const here = link?.closest(".toc .part > ol > li");
    chapters.forEach((chapter) => chapter.classList.toggle("here", chapter === here));
    if (link && !narrow.matches) {
      const bar = link.closest(".toc");
      const top = link.getBoundingClientRect().top - bar.getBoundingClientRect().top;
      if (top < 60 || top > bar.clientHeight - 60) bar.scrollTop += top - bar.clientHeight / 3;
    }
  };
  addEventListener("scroll", () => requestAnimationFrame(follow), { passive: true });
  follow();
  const asked = choices.find((choice) => location.hash === `#${choice.value}`);
  if (asked) speak(asked.value);

  // What the page shows can be saved from there: a drawing, and a page with controls.
  const save = (name, address) => Object.assign(document.createElement("a"), { href: address, download: name }).click();
  const offer = (item, text, act) => {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: text });
    button.setAttribute("aria-label", `${text} of ${item.querySelector("figcaption strong").textContent.replace(/\.$/, "")}`);
    button.addEventListener("click", act);
    item.querySelector(".files").prepend(button, " ");
  };
  document.querySelectorAll(".item.figure").forEach((item) => {
    const { src } = item.querySelector("img");
    const kind = src.startsWith("data:image/svg") ? "svg" : "png";
    offer(item, `Picture (${kind.toUpperCase()})`, () => save(`${item.id}.${kind}`, src));
  });
  document.querySelectorAll(".item.page-item").forEach((item) => {
    offer(item, "This page alone (HTML)", () => {
      const address = URL.createObjectURL(new Blob([item.querySelector("iframe").srcdoc], { type: "text/html" }));
      save(`${item.id}.html`, address);
      setTimeout(() => URL.revokeObjectURL(address), 10_000);
    });
  });

  // A page in a frame may not leave it: it asks for the chapter that it has a link to.
  addEventListener("message", ({ data, source }) => {
    const ours = [...document.querySelectorAll(".item.page-item iframe")].some((frame) => frame.contentWindow === source);
    if (ours && document.getElementById(data?.chapter)?.matches("article")) location.hash = data.chapter;
  });

  // A box takes the keyboard's focus only where there is something to scroll.
  const boxes = () => document.querySelectorAll(".scroll").forEach((box) => {
    const more = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight + 1;
    if (more) box.tabIndex = 0; else box.removeAttribute("tabindex");
  });
  boxes();
  addEventListener("resize", boxes);
})();
