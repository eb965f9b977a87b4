// A figure in a window of its own, as large as it was drawn or as the screen allows.
(() => {
  const images = document.querySelectorAll(".item.figure .card img");
  if (!images.length || !window.HTMLDialogElement) return;
  const element = (name, className, ...children) => {
    const made = document.createElement(name);
    made.className = className;
    made.append(...children);
    return made;
  };
  const button = (text, label, act) => {
    const made = element("button", "", text);
    made.type = "button";
    if (label) made.setAttribute("aria-label", label);
    made.addEventListener("click", act);
    return made;
  };

  const picture = document.createElement("img");
  const tray = element("div", "tray", picture);
  tray.tabIndex = 0;
  tray.setAttribute("role", "region");
  const title = element("span", "title");
  let width = 0;
  const size = (wanted) => {
    // What was in the middle stays there.
    const [x, y] = [(tray.scrollLeft + tray.clientWidth / 2) / width, (tray.scrollTop + tray.clientHeight / 2) / width];
    const middle = width > 0;
    width = Math.min(Math.max(wanted, 160), 8000);
    picture.style.width = `${width}px`;
    if (middle) tray.scrollTo(x * width - tray.clientWidth / 2, y * width - tray.clientHeight / 2);
  };
  const dialog = element("dialog", "large-picture", element("div", "bar", title,
    button("−", "Smaller", () => size(width / 1.25)), button("+", "Larger", () => size(width * 1.25)),
    button("Close", "", () => dialog.close())), tray);
  let from = null;
  dialog.addEventListener("close", () => { picture.removeAttribute("src"); from?.focus({ preventScroll: true }); });
  document.body.append(dialog);

  const open = (image, opener, name) => {
    if (!image.currentSrc) { // still far away when it was asked for
      image.addEventListener("load", () => open(image, opener, name), { once: true });
      return;
    }
    from = opener;
    title.textContent = name;
    dialog.setAttribute("aria-label", name);
    tray.setAttribute("aria-label", `${name}, which scrolls`);
    picture.alt = image.alt;
    picture.src = image.currentSrc || image.src;
    dialog.showModal();
    tray.focus();
    const [natural, shape] = [Number(image.getAttribute("width")) || image.naturalWidth, image.naturalHeight / image.naturalWidth];
    width = 0;
    // At least as large as drawn; a screen with more room is filled.
    size(Math.max(natural, Math.min(tray.clientWidth, tray.clientHeight / (shape || 1))));
    tray.scrollTo(0, 0);
  };

  images.forEach((image) => {
    const name = image.closest("figure").querySelector("figcaption strong")?.textContent.replace(/\.$/, "") || "Figure";
    const opener = button("Enlarge", `Enlarge ${name}`, () => open(image, opener, name));
    opener.classList.add("enlarge");
    image.addEventListener("click", () => open(image, opener, name));
    image.classList.add("enlarges");
    const files = image.closest("figure").querySelector(".files");
    if (files) files.prepend(opener, " "); else image.closest(".card").after(opener);
  });
})();
