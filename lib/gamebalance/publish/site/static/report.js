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
  const pages = [...document.querySelectorAll(".page")];
  const above = (place) => place.getBoundingClientRect().top < innerHeight / 3;
  let current = null;
  const follow = () => {
    // Only places of a page in view are looked at: others would have to be laid out for that.
    const page = pages.findLast(above);
    const link = links.get(places.findLast((place) => page?.contains(place) && above(place))?.id);
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
  const packed = ({ dataset }) => unpacked(document.getElementById(dataset.file));
  const save = (name, address) => Object.assign(document.createElement("a"), { href: address, download: name }).click();
  const keepText = (name, text, type) => {
    const address = URL.createObjectURL(new Blob([text], { type }));
    save(name, address);
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  };
  const offer = (item, text, act) => {
    const made = button(text, act), entry = document.createElement("li");
    made.setAttribute("aria-label", `${text} of ${item.querySelector("figcaption strong").textContent.replace(/\.$/, "")}`);
    entry.append(made);
    item.querySelector(".menu ul").prepend(entry);
  };
  document.querySelectorAll("figure.item-figure").forEach((item) => {
    const image = item.querySelector("img"), kind = image.dataset.file ? "svg" : "png";
    const keep = async () => keepText(`${item.id}.svg`, await packed(image), "image/svg+xml");
    offer(item, `Picture (${kind.toUpperCase()})`, kind === "svg" ? keep : () => save(`${item.id}.png`, image.src));
  });
  document.querySelectorAll("figure.item-page").forEach((item) => {
    const frame = item.querySelector("iframe");
    offer(item, "This page alone (HTML)", async () => keepText(`${item.id}.html`, await packed(frame), "text/html"));
  });
  const ready = (links) => links.forEach(async (link) => {
    const address = URL.createObjectURL(new Blob([await packed(link)]));
    Object.assign(link, { href: address, download: link.dataset.name });
  });
  near("a[data-file]", ready);
  document.querySelectorAll("details.menu").forEach((menu) => { // at once, whatever else there is to be drawn
    menu.addEventListener("toggle", () => ready(menu.querySelectorAll("a[data-file]:not([href])")));
  });
  const frames = near("iframe[data-file]", (some) => some.forEach(async (frame) => { frame.srcdoc = await packed(frame); }));
  const pictures = near("img[data-file]", (images) => Promise.all(images.map(async (image) => {
    image.src = `data:image/svg+xml,${encodeURIComponent(await packed(image))}`;
    await image.decode().catch(() => {});
  })));
  // Those far away come one by one when the page is open, so that paper has them.
  const next = async () => { if (await pictures(1)) setTimeout(next, 50); };
  addEventListener("load", () => setTimeout(next, 1000));
  window.complete = () => Promise.all([formulas(), pictures(), frames()]);

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
