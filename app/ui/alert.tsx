/** Why a form was not taken, above its button. Nothing where there is nothing to say. */
export function Alert({ message }: { message: string | null | undefined }) {
  if (!message) return null;
  return (
    <p className="alert" role="alert">
      {message}
    </p>
  );
}
