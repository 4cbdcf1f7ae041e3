/** The button that asks whether to delete a row: it leads to the dialog. */
export function DeleteCell({ id }: { id: number }) {
  return (
    <td className="full">
      <button name="delete" value={id} type="submit" className="second">
        Delete
      </button>
    </td>
  );
}
