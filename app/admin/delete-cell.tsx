/** The button that opens the dialog to delete a row. */
export function DeleteCell({ id }: { id: number }) {
  return (
    <td className="full">
      <button name="delete" value={id} type="submit" className="second">
        Delete
      </button>
    </td>
  );
}
