// Loaded into a helper process, which then ends when the command that started it has ended, in any way. Needs a pipe as standard input.
process.stdin
  .on("end", () => process.exit())
  .resume()
  .unref();
