// Loaded into a helper process, which then ends when the command that started it has ended.
process.stdin.on("end", () => process.exit()).resume();
