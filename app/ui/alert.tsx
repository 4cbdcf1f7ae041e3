/** Why a form was not accepted, above its button. Renders nothing without a message. */
export function Alert({ message }: { message: string | null | undefined }) {
  if (!message) return null;
  return (
    <p className="alert" role="alert">
      {message}
    </p>
  );
}
