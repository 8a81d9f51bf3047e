// Draws the formulas of a page; without KaTeX their LaTeX stays.
document.addEventListener("DOMContentLoaded", () => {
  for (const place of document.querySelectorAll(".formula")) {
    const displayMode = place.classList.contains("display");
    window.katex?.render(place.textContent, place, {displayMode, throwOnError: false});
  }
});
