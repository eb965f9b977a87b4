// Elements of a page: found, made, filled.
const elements = (() => {
  "use strict";
  const at = (id) => document.getElementById(id);

  // With properties and attributes, those left out that are undefined.
  const make = (name, properties = {}, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(properties)) {
      if (key in element) element[key] = value;
      else if (value !== undefined) element.setAttribute(key, value);
    }
    element.append(...children);
    return element;
  };

  // Of a picture; the page has one already.
  const draw = (name, attributes = {}, ...children) => {
    const element = document.createElementNS(document.querySelector("svg").namespaceURI, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
    element.append(...children);
    return element;
  };

  const put = (element, text) => {
    if (element.textContent !== text) element.textContent = text;
    return element;
  };

  // What `action` gives, or null where it was refused: an error with a field, which `complain` is told.
  const tried = (action, complain) => {
    try {
      return action();
    } catch (error) {
      if (!error.field) throw error;
      complain(error);
      return null;
    }
  };

  // Nothing is wrong any more.
  const quiet = () => {
    for (const field of document.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
    for (const place of document.querySelectorAll(".error:not(#link-error)")) place.textContent = "";
  };

  return { at, make, draw, put, tried, quiet };
})();
