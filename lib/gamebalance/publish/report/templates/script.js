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
    button.textContent = open ? "Hide all code" : "Show all code";
  });

  // The first page, the findings, the glossary and the sources in the language that is chosen.
  const choices = [...document.querySelectorAll(".switch button")];
  const speak = (tag) => {
    document.querySelectorAll("[data-language]").forEach((part) => { part.hidden = part.lang !== tag; });
    choices.forEach((choice) => choice.setAttribute("aria-pressed", choice.value === tag));
  };
  document.querySelectorAll(".switch").forEach((group) => { group.hidden = false; });
  choices.forEach((choice) => choice.addEventListener("click", () => speak(choice.value)));
  const asked = choices.find((choice) => location.hash === `#${choice.value}`);
  if (asked) speak(asked.value);

  const links = new Map([...document.querySelectorAll(".toc a")].map((link) => [link.hash.slice(1), link]));
  const places = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean);
  const chapters = document.querySelectorAll(".toc .part > ol > li");
  document.querySelector(".toc").classList.add("follows");
  let current = null;
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

  // A box takes the keyboard's focus only where there is something to scroll.
  const boxes = () => document.querySelectorAll(".scroll").forEach((box) => {
    const more = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight + 1;
    if (more) box.tabIndex = 0; else box.removeAttribute("tabindex");
  });
  boxes();
  addEventListener("resize", boxes);
})();
