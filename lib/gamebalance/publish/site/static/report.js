// Small comforts of the one file; it reads well without them.
(() => {
  const narrow = matchMedia("(max-width: 71.99rem)");
  const contents = document.querySelector(".report-contents details");
  const fold = () => { contents.open = !narrow.matches; };
  fold();
  narrow.addEventListener("change", fold);
  contents.addEventListener("click", (event) => {
    if (narrow.matches && event.target.closest("a")) contents.open = false;
  });

  // The contents follow the reader.
  const links = new Map([...contents.querySelectorAll("a")].map((link) => [link.hash.slice(1), link]));
  const places = [...links.keys()].map((name) => document.getElementById(name)).filter(Boolean);
  let current = null;
  const follow = () => {
    const link = links.get(places.findLast((place) => place.getBoundingClientRect().top < innerHeight / 3)?.id);
    if (link === current) return;
    current?.removeAttribute("aria-current");
    link?.setAttribute("aria-current", "location");
    current = link;
    contents.querySelector(".here")?.classList.remove("here");
    link?.closest(".chapter")?.classList.add("here");
    if (link && !narrow.matches) {
      const bar = contents.parentElement, top = link.getBoundingClientRect().top;
      if (top < 60 || top > bar.clientHeight - 60) bar.scrollTop += top - bar.clientHeight / 3;
    }
  };
  addEventListener("scroll", () => requestAnimationFrame(follow), { passive: true });
  follow();

  const button = (text, act) => {
    const made = Object.assign(document.createElement("button"), { type: "button", textContent: text });
    made.addEventListener("click", () => act(made));
    return made;
  };

  // What the page shows can be saved from there: a drawing, and a page with controls.
  const save = (name, address) => Object.assign(document.createElement("a"), { href: address, download: name }).click();
  const offer = (item, text, act) => {
    const made = button(text, act), entry = document.createElement("li");
    made.setAttribute("aria-label", `${text} of ${item.querySelector("figcaption strong").textContent.replace(/\.$/, "")}`);
    entry.append(made);
    item.querySelector(".menu ul").prepend(entry);
  };
  document.querySelectorAll("figure.item-figure").forEach((item) => {
    const { src } = item.querySelector("img");
    const kind = src.startsWith("data:image/svg") ? "svg" : "png";
    offer(item, `Picture (${kind.toUpperCase()})`, () => save(`${item.id}.${kind}`, src));
  });
  document.querySelectorAll("figure.item-page").forEach((item) => {
    offer(item, "This page alone (HTML)", () => {
      const address = URL.createObjectURL(new Blob([item.querySelector("iframe").srcdoc], { type: "text/html" }));
      save(`${item.id}.html`, address);
      setTimeout(() => URL.revokeObjectURL(address), 10_000);
    });
  });
  contents.querySelector("summary").after(button("Show all code", (made) => {
    const all = [...document.querySelectorAll("details.hide")], open = !all.every((cell) => cell.open);
    all.forEach((cell) => { cell.open = open; });
    made.textContent = open ? "Hide all code" : "Show all code";
  }));

  // Paper is white.
  const page = document.documentElement.dataset, theme = page.theme;
  addEventListener("beforeprint", () => { page.theme = "light"; });
  addEventListener("afterprint", () => { page.theme = theme; });

  // A page in a frame may not leave it: it asks for the chapter that it has a link to.
  addEventListener("message", ({ data, source }) => {
    const ours = [...document.querySelectorAll("iframe")].some((frame) => frame.contentWindow === source);
    if (ours && document.getElementById(data?.chapter)?.matches(".page")) location.hash = data.chapter;
  });
})();
