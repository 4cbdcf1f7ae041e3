/** The minimum length of a dump's pieces, in characters. */
const PIECE = 64 * 1024;

/** How long the reader of a copy may pause, in milliseconds, before it is given up: writes wait for it. */
const UNREAD_MS = 20_000;

/** The whole text at once, before anything else happens. */
export function inMemory(dumped: Generator<string>): ReadableStream<Uint8Array> {
  const pieces = [...encoded(dumped)].reverse();
  return new ReadableStream({
    type: "bytes",
    pull(controller) {
      const piece = pieces.pop();
      if (piece) controller.enqueue(piece);
      else controller.close();
    },
  });
}

/** Only the pieces that the reader asks for. `done` is called at the end, after an error, and for a reader that pauses. */
export function bitByBit(dumped: Generator<string>, done: () => void): ReadableStream<Uint8Array> {
  const pieces = encoded(dumped);
  let unread: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    clearTimeout(unread);
    pieces.return(undefined);
    done();
  };
  const watch = (controller: ReadableByteStreamController) => {
    clearTimeout(unread);
    unread = setTimeout(() => {
      end();
      controller.error(new Error("the copy of the database was not read for 20 seconds"));
    }, UNREAD_MS);
  };
  return new ReadableStream({
    type: "bytes",
    start: watch,
    async pull(controller) {
      watch(controller);
      await breath();
      try {
        const { value, done: isEnd } = pieces.next();
        if (value) return controller.enqueue(value);
        if (isEnd) controller.close();
      } catch (error) {
        controller.error(error);
      }
      end();
    },
    cancel: end,
  });
}

function* encoded(dumped: Generator<string>): Generator<Uint8Array, void> {
  const encoder = new TextEncoder();
  let text = "";
  for (const statement of dumped) {
    text += statement;
    if (text.length < PIECE) continue;
    yield encoder.encode(text);
    text = "";
  }
  yield encoder.encode(text); // never empty: the last line is in it
}

/** Lets other requests have their turn: a chain of streams without one would hold up everything until its end. */
export function breath(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** The text of pieces of bytes, which may end within a character. */
export function* decoded(pieces: Iterable<Uint8Array>): Generator<string> {
  const decoder = new TextDecoder();
  for (const piece of pieces) yield decoder.decode(piece, { stream: true });
  yield decoder.decode();
}

/** The pieces of a stream, which is cancelled if its reader stops early. */
export async function* piecesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/**
 * The stream of these pieces, read as they are asked for. After an error it ends early and `tell` gets the error: a stream that
 * fails would not tell the other Worker why, and before its first byte that one would wait for ever.
 */
export function streamOf(
  pieces: AsyncGenerator<Uint8Array>,
  tell: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  return new ReadableStream({
    type: "bytes",
    async pull(controller) {
      try {
        let { value, done } = await pieces.next();
        while (!done && value?.length === 0) ({ value, done } = await pieces.next()); // a byte stream takes no empty piece
        if (value) controller.enqueue(value);
        else controller.close();
      } catch (error) {
        tell(error);
        controller.close();
      }
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}
