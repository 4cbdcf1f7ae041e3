// Loaded into a helper program: it ends when the command that started it is gone, however that ended.
process.stdin.on("end", () => process.exit()).resume();
