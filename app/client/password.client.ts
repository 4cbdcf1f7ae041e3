/** Reveals the buttons that show the password before them. It is hidden again when the form is sent. */
export function startPasswordButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-show]")) {
    const field = button.previousElementSibling as HTMLInputElement; // app/forms/field.tsx
    const show = (isShown: boolean) => {
      field.type = isShown ? "text" : "password";
      button.ariaPressed = `${isShown}`;
    };
    button.hidden = false;
    button.onclick = () => show(field.type === "password");
    field.form?.addEventListener("submit", () => show(false));
  }
}
