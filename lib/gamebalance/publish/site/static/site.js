// Small comforts; the pages read well without them.
(() => {
  // A link to something that is folded away opens it: the code of a cell, a table behind a value.
  const unfold = () => {
    const place = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!place) return;
    for (let box = place.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
    const code = place.matches(".cell") ? place.querySelector("details.hide") : null;
    if (code) code.open = true;
    place.scrollIntoView();
  };
  addEventListener("hashchange", unfold);
  unfold();

  // Where the theme has scrolled the list of chapters, no line of it begins under the head.
  addEventListener("load", () => {
    const list = document.querySelector(".bd-sidebar-primary");
    if (!list?.scrollTop) return;
    const { top } = list.getBoundingClientRect();
    const first = [...list.querySelectorAll("li > a")].find((link) => link.getBoundingClientRect().bottom > top + 8);
    if (first) list.scrollTop += first.getBoundingClientRect().top - top;
  });

  // A framed page is as high as what it shows, where the browser lets one look (not from a file).
  const fit = (frame) => {
    const body = frame.contentDocument?.body;
    if (!body || !frame.clientWidth) return;
    const {marginTop, marginBottom} = getComputedStyle(body);
    const around = parseFloat(marginTop) + parseFloat(marginBottom) + 4;
    frame.style.height = `${Math.ceil(body.getBoundingClientRect().height + around)}px`;
  };
  document.querySelectorAll("iframe.gb-page").forEach((frame) => {
    const watch = () => {
      fit(frame);
      const body = frame.contentDocument?.body;
      if (body) new ResizeObserver(() => fit(frame)).observe(body);
    };
    frame.addEventListener("load", watch);
    watch();
  });

  // A box takes the keyboard's focus only where there is something to scroll.
  const boxes = new ResizeObserver((changes) => changes.forEach(({ target: box }) => {
    const more = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight + 1;
    if (more) box.tabIndex = 0; else box.removeAttribute("tabindex");
  }));
  document.querySelectorAll(".scroll").forEach((box) => boxes.observe(box));
})();
