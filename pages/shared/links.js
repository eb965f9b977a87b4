// Links that a page can be opened again with: they hold what is set.
const links = (() => {
  "use strict";
  const { at, put } = elements;
  const { say } = language;

  const save = (hash) => {
    try {
      history.replaceState(null, "", hash === "#" && location.hash === "" ? location.href : hash);
    } catch {
      // A page within a page may have no address of its own.
    }
  };

  const hide = () => {
    at("link").hidden = true;
    put(at("copied"), "");
  };

  const copy = async (hash) => {
    const inside = location.protocol === "about:";
    const link = (inside ? "" : location.href.split("#")[0]) + hash;
    at("link").value = link;
    try {
      if (inside) throw new Error("A page within a page has no clipboard.");
      await navigator.clipboard.writeText(link);
      at("link").hidden = true;
      put(at("copied"), say("Copied."));
    } catch {
      at("link").hidden = false;
      at("link").select();
      put(at("copied"), inside ? say("Copy this, and put it behind the address of this page.") : say("Copy it from here."));
    }
  };

  return { save, hide, copy };
})();
