/** Lets some work wait while other work goes on. */
export class Gate {
  #closed: Promise<void> | null = null;

  /**
   * Resolves when the gate is open. Another caller may close it in the same turn; that does no harm, because a copy of the
   * database is first read in a later one.
   */
  async opened(): Promise<void> {
    while (this.#closed) await this.#closed;
  }

  /** Closes the gate, which must be open. Returns the function that opens it; calling it again does nothing. */
  close(): () => void {
    let release = () => {};
    const closed = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#closed = closed;
    return () => {
      if (this.#closed === closed) this.#closed = null;
      release();
    };
  }
}
