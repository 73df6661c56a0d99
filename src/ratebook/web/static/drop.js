// Where a file is asked for: it may be dropped anywhere on the page.
"use strict";
const field = document.querySelector('.drop input[type="file"]');
const place = field?.closest(".drop");
const hasFile = (event) => event.dataTransfer?.types.includes("Files");
if (field) {
  const show = (over) => place.classList.toggle("over", over);
  addEventListener("dragover", (event) => { if (hasFile(event)) { event.preventDefault(); show(true); } });
  addEventListener("dragleave", (event) => { if (!event.relatedTarget) show(false); });
  addEventListener("drop", (event) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    show(false);
    field.files = event.dataTransfer.files;
    field.dispatchEvent(new Event("change", { bubbles: true }));
    field.form.querySelector("button.first").focus();
  });
}
