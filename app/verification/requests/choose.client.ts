/**
 * On the page of a new request: shows how many records are checked and their hours, and makes the link that selects all
 * change the boxes, so that the page need not load again.
 */
export function startChoosing(): void {
  const sum = document.querySelector<HTMLElement>("[data-sum]");
  const link = document.querySelector<HTMLAnchorElement>("[data-all]");
  const boxes = [...document.querySelectorAll<HTMLInputElement>("[data-hours]")];
  if (!sum || !link) return;
  const show = () => {
    const checked = boxes.filter((box) => box.checked);
    const hours = checked.reduce((total, { dataset }) => total + Number(dataset.hours), 0);
    // Not `formatHours`: its file comes with React.
    sum.textContent = `${checked.length} selected, ${(hours / 100).toFixed(2).replace(/0$/, "")} h`;
    link.textContent = checked.length === boxes.length ? "Select none" : "Select all on this page";
  };
  link.addEventListener("click", (event) => {
    event.preventDefault();
    const isChecked = boxes.some((box) => !box.checked);
    for (const box of boxes) box.checked = isChecked;
    show();
  });
  addEventListener("change", show);
  // After Back the browser restores the boxes.
  addEventListener("pageshow", show);
  show();
}
