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
