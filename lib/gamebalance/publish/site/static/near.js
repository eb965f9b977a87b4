// What takes time is done to a part of the page when it comes near the view.
(globalThis.MathJax ??= {}).startup = { typeset: false };

// Do it to the parts that come near; what is returned does it to those that are left, or to so many of them.
const near = (selector, act) => {
  const left = new Set(document.querySelectorAll(selector));
  const take = (parts) => {
    parts.forEach((part) => { left.delete(part); watch.unobserve(part); });
    return parts.length && act(parts);
  };
  const watch = new IntersectionObserver((entries) => {
    take(entries.filter((entry) => entry.isIntersecting).map((entry) => entry.target));
  }, { rootMargin: "100% 0px" });
  left.forEach((part) => watch.observe(part));
  return (most = left.size) => take([...left].slice(0, most));
};

// The text of a file that lies packed in the page.
const unpacked = (held) => {
  const { readable, writable } = new DecompressionStream("deflate"), writer = writable.getWriter();
  writer.write(Uint8Array.from(atob(held.textContent), (letter) => letter.charCodeAt(0)));
  writer.close();
  return new Response(readable).text();
};

// MathJax comes from a file, or packed, when a formula is near, and else when the page has been open for a while.
let mathjax = null;
const withMathJax = async () => {
  const held = document.querySelector("script.mathjax"), script = document.createElement("script");
  const loaded = held.src && new Promise((done) => script.addEventListener("load", done));
  document.head.append(Object.assign(script, held.src ? { src: held.src } : { text: await unpacked(held) }));
  await loaded;
  await MathJax.startup.promise;
};
const formulas = near(".math", async (parts) => {
  await (mathjax ??= withMathJax());
  await MathJax.typesetPromise(parts);
});
addEventListener("load", () => setTimeout(() => { if (document.querySelector(".math")) mathjax ??= withMathJax(); }, 2000));
addEventListener("beforeprint", () => { if (MathJax.typesetPromise) formulas(); });
