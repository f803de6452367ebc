// What a page does beyond being read: lists that can be narrowed, pages of sources that can be enlarged.
// A plain script and no module: browsers do not load modules from files, and a site must work from them.
"use strict";

function narrowed(place) {
  const rows = [...document.querySelectorAll(place.dataset.filter)];
  const label = document.createElement("label");
  const field = document.createElement("input");
  field.type = "search";
  label.append(`${place.dataset.label} `, field);
  const said = document.createElement("output");
  place.append(label, " ", said);
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const text = row.dataset.text.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      shown += row.hidden ? 0 : 1;
    }
    for (const section of document.querySelectorAll("main section")) {
      section.hidden = !section.querySelector(`${place.dataset.filter}:not([hidden])`);
    }
    said.textContent = words.length ? `${shown} of ${rows.length}` : "";
  });
}

function enlarged(sheet) {
  sheet.classList.add("zooms");
  sheet.addEventListener("click", () => sheet.classList.toggle("large"));
}

document.querySelectorAll("[data-filter]").forEach(narrowed);
document.querySelectorAll("div.sheet").forEach(enlarged);
